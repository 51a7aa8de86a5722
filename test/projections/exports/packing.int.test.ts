import { randomBytes } from "node:crypto"
import { gunzipSync } from "node:zlib"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { ExportRecords } from "#src/exports/ExportRecords.ts"
import { attempt, Sql, transact } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import { useService } from "#test/support/service.ts"

const service = useService()
const of = { projectId: 0, number: 1 }
const range = { relation: "issues", first: 1, last: 2 }
const level = 6

const collected = async (pieces: AsyncIterable<Buffer>): Promise<ReadonlyArray<Buffer>> => {
  const all: Array<Buffer> = []
  for await (const piece of pieces) all.push(piece)
  return all
}
const wholeOf = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => Buffer.concat(await collected(pieces))
const withRecords = <A>(use: (records: ExportRecords["Service"]) => Promise<A>): Promise<A> =>
  service.run(ExportRecords.use((records) => Effect.promise(() => use(records))))

beforeAll(async () => {
  const { body } = await service.request("POST", "/projects", { json: { name: "packed" } })
  of.projectId = Number(field(body, "id"))
  for (const title of ["long", "longer"]) {
    const json = { title, description: randomBytes(150_000).toString("base64") }
    await service.request("POST", `/projects/${of.projectId}/issues`, { json })
  }
  await service.run(ExportRecords.use((records) => records.take(of, 2 ** 40)))
})

describe("records in gzip", () => {
  it("are those that are read, in small pieces, however many want them at once", async () => {
    const [text, pieces, again] = await withRecords(({ pack, read }) =>
      Promise.all([wholeOf(read(of, range)), collected(pack(of, range, level)), wholeOf(pack(of, range, level))])
    )
    expect([gunzipSync(Buffer.concat(pieces)), gunzipSync(again)]).toEqual([text, text])
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024)
    expect(pieces.length).toBeGreaterThan(4)
  })

  it("are whole for the next one where somebody breaks off, and where they could not be read", async () => {
    await withRecords(async ({ pack, read }) => {
      for await (const piece of pack(of, range, level)) {
        expect(piece.length).toBeGreaterThan(0)
        break
      }
      const lost = wholeOf(pack(of, { ...range, last: 3 }, level))
      await expect(lost).rejects.toThrow(`The copied records of issues of project ${of.projectId} are gone`)
      expect(gunzipSync(await wholeOf(pack(of, range, level)))).toEqual(await wholeOf(read(of, range)))
    })
  })
})

it("a copy that a frozen reader holds keeps nobody, and goes with the next one that is forgotten", async () => {
  const table = `chronoforge.export_parts_${of.projectId}_${of.number}`
  const forget = () => service.run(ExportRecords.use((records) => records.forget(of)))
  const isThere = () =>
    service.run(
      Sql.use(({ client }) =>
        attempt(async () => (await client.unsafe("select to_regclass($1) as found", [table]))[0]?.found !== null)
      )
    )
  await service.run(
    Sql.use(({ client }) =>
      attempt(() =>
        transact(client, async (tx) => {
          await tx.unsafe(`select from ${table} limit 1`)
          await forget()
        })
      )
    )
  )
  expect(await isThere()).toBe(true)
  await forget()
  expect(await isThere()).toBe(false)
})
