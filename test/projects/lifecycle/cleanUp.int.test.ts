import { access, mkdir, readdir, rename, rm, utimes, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { RepositoryTasks } from "#src/git/RepositoryTasks.ts"
import { cleanUpAllRepositories, cleanUpRepositories } from "#src/projects/lifecycle/cleanUp.ts"
import { useProjects } from "../useProjects.ts"

const { newProject, remove, service } = useProjects()

const pathOf = (id: number) => service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id).path)))
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false
  )
/** A folder with the name of a draft, made so many milliseconds ago. */
const makeDraft = async (path: string, ageMillis: number) => {
  await mkdir(path, { recursive: true })
  const made = new Date(Date.now() - ageMillis)
  await utimes(path, made, made)
}
const suffix = "01a2b3c4-0000-4000-8000-00000000000"

it("what killed processes left of repositories is removed, and nothing else", async () => {
  const [kept, deleted] = [await newProject("kept"), await newProject("deleted")]
  await remove(deleted)
  const [known, gone, unknown] = [await pathOf(kept), await pathOf(deleted), await pathOf(77)]
  const drafts = join(dirname(dirname(known)), "drafts")
  const [stale, begun] = [`${join(drafts, basename(known))}.${suffix}0`, `${join(drafts, basename(known))}.${suffix}1`]
  for (const path of [gone, unknown]) await mkdir(path, { recursive: true })
  await makeDraft(stale, 3_601_000)
  await makeDraft(begun, 3_500_000)
  for (const id of [kept, deleted, 77]) {
    const { of } = await service.run(Repositories.use(Effect.succeed))
    await service.run(RepositoryTasks.use(({ scheduleRemoval }) => scheduleRemoval(of(id))))
  }
  await service.run(cleanUpRepositories)
  expect(await Promise.all([known, gone, unknown, stale, begun].map(isThere))).toEqual([true, false, true, false, true])
  const left = await service.run(RepositoryTasks.use(({ all }) => all("remove", "pending")))
  // A deletion may be about to come.
  expect(left.map(({ repository }) => repository.path)).toEqual([known, unknown])
})

it("what earlier versions left among the repositories is removed where somebody asks for it", async () => {
  const deleted = await newProject("deleted-before")
  await remove(deleted)
  const [gone, unknown] = [await pathOf(deleted), await pathOf(78)]
  for (const path of [gone, unknown]) await mkdir(path, { recursive: true })
  await makeDraft(`${gone}.${suffix}2`, 3_601_000)
  expect(await service.run(cleanUpAllRepositories)).toBe(2)
  expect(await readdir(dirname(gone))).toEqual([])
  expect(await isThere(unknown)).toBe(true)
  expect(await service.run(cleanUpAllRepositories)).toBe(0)
})

it("what could not be removed with its project is removed later", async () => {
  const deleted = await newProject("deleted-later")
  const gone = await pathOf(deleted)
  const drafts = join(dirname(dirname(gone)), "drafts")
  await rename(drafts, `${drafts}.away`)
  await writeFile(drafts, "")
  const { status } = await remove(deleted)
  expect([status, await isThere(gone)]).toEqual([202, true])
  await rm(drafts)
  await rename(`${drafts}.away`, drafts)
  await service.run(cleanUpRepositories)
  expect(await isThere(gone)).toBe(false)
})
