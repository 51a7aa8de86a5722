import { access, mkdir, readdir, utimes } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { removeLeftovers } from "#src/projects/lifecycle/leftovers.ts"
import { useProjects } from "../useProjects.ts"

const { newProject, remove, service } = useProjects()

const pathOf = (id: number) => service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id).path)))

it("what killed processes left of repositories is removed, and nothing else", async () => {
  const [kept, deleted] = [await newProject("kept"), await newProject("deleted")]
  await remove(deleted)
  const [known, gone, unknown] = [await pathOf(kept), await pathOf(deleted), await pathOf(77)]
  const draft = `${known}.01a2b3c4-0000-4000-8000-000000000000`
  const begun = `${known}.01a2b3c4-0000-4000-8000-000000000001`
  const temporary = ["tmp_objdir-incoming-a", "tmp_objdir-incoming-b"].map((name) => `${known}/objects/${name}`)
  for (const path of [gone, unknown, draft, begun, ...temporary]) await mkdir(path, { recursive: true })
  const makeOld = async (path: string, hours: number) => {
    const time = new Date(Date.now() - hours * 3_600_000 - 1000)
    await utimes(path, time, time)
  }
  await makeOld(draft, 1)
  await makeOld(temporary[0] ?? "", 24)
  await service.run(removeLeftovers)
  expect((await readdir(dirname(known))).map((name) => `${dirname(known)}/${name}`).toSorted()).toStrictEqual([known, begun])
  expect((await readdir(`${known}/objects`)).toSorted()).toStrictEqual(["info", "pack", "tmp_objdir-incoming-b"])
  await access(unknown)
  await expect(access(gone)).rejects.toMatchObject({ code: "ENOENT" })
})
