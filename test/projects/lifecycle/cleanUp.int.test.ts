import { access, mkdir, readdir, utimes } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { cleanUpRepositories } from "#src/projects/lifecycle/cleanUp.ts"
import { useProjects } from "../useProjects.ts"

const { newProject, remove, service } = useProjects()

const pathOf = (id: number) => service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id).path)))

it("what killed processes left of repositories is removed, and nothing else", async () => {
  const [kept, deleted] = [await newProject("kept"), await newProject("deleted")]
  await remove(deleted)
  const [known, gone, unknown] = [await pathOf(kept), await pathOf(deleted), await pathOf(77)]
  const draft = `${known}.01a2b3c4-0000-4000-8000-000000000000`
  const begun = `${known}.01a2b3c4-0000-4000-8000-000000000001`
  for (const path of [gone, unknown, draft, begun]) await mkdir(path, { recursive: true })
  const anHourAgo = new Date(Date.now() - 3_601_000)
  await utimes(draft, anHourAgo, anHourAgo)
  await service.run(cleanUpRepositories)
  expect((await readdir(dirname(known))).map((name) => `${dirname(known)}/${name}`).toSorted()).toStrictEqual([known, begun])
  await access(unknown)
  await expect(access(gone)).rejects.toMatchObject({ code: "ENOENT" })
})
