import { rm } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { UploadStorage } from "#src/uploads/files/UploadStorage.ts"
import { field } from "#test/support/exactly.ts"
import { unpack } from "#test/support/git/unpack.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { useContent } from "../exports/useContent.ts"
import { addUpload, secretOf } from "./addUpload.ts"

const { exported, make, minute, service, status, unpacked } = useContent()

const start = Date.UTC(2030, 0, 1) / 1000

const add = (projectId: number, number: number, name: string, content = "a") =>
  service.run(Effect.andThen(addUpload(projectId, secretOf(number), name, content), settled))
const entriesOf = async (projectId: number, batch?: number) => {
  const query = batch === undefined ? {} : { batched: "true", batch_number: String(batch) }
  return (await unpack("tar", await unpacked(projectId, { relation: "uploads", ...query }))).entries
}

describe("the uploads of a project", () => {
  it("are a tar of files, in the order in which they came, with the times at which they did", async () => {
    const id = await make("/projects", { name: "uploads" })
    minute(1)
    await add(id, 2, "b.txt", "second")
    minute(2)
    await add(id, 1, "übergröße.png", "first")
    await exported(id)
    expect(await entriesOf(id)).toEqual([
      { path: `${secretOf(2)}/b.txt`, mode: "100644", time: start + 60, content: "second" },
      { path: `${secretOf(1)}/übergröße.png`, mode: "100644", time: start + 120, content: "first" }
    ])
  })

  it("may be none, and those that are removed are left out", async () => {
    const [none, some] = [await make("/projects", { name: "none" }), await make("/projects", { name: "some" })]
    await exported(none)
    expect(await entriesOf(none)).toEqual([])
    await add(some, 1, "a.txt")
    const gone = await add(some, 2, "b.txt").then(() => ({ projectId: some, secret: secretOf(2), name: "b.txt" }))
    const { pathOf } = await service.run(UploadStorage.use(Effect.succeed))
    await rm(dirname(pathOf(gone)), { recursive: true })
    await exported(some)
    expect((await entriesOf(some)).map(({ path }) => path)).toEqual([`${secretOf(1)}/a.txt`])
  })

  it("come in batches of 1,000 where that is asked for", async () => {
    const id = await make("/projects", { name: "many" })
    const all = Array.from({ length: 1_001 }, (_, index) => index)
    await service.run(
      Effect.forEach(all, (number) => addUpload(id, secretOf(number), "a.txt"), { concurrency: 8, discard: true })
    )
    await service.run(settled)
    await exported(id, { json: { batched: true } })
    const [, body] = await status(id, { query: { relation: "uploads" } })
    const batches = [field(field(body, "0"), "batches")].flat()
    expect(batches.map((batch) => [field(batch, "status"), field(batch, "objects_count")])).toEqual([
      [1, 1_000],
      [1, 1]
    ])
    const paths = [...(await entriesOf(id, 1)), ...(await entriesOf(id, 2))].map(({ path }) => path)
    expect(paths.toSorted()).toEqual(all.map((number) => `${secretOf(number)}/a.txt`).toSorted())
  })
})
