import { mkdir, symlink } from "node:fs/promises"
import { dirname } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { anyTime, expectExactly } from "#test/support/exactly.ts"
import { batchable, names } from "./samples.ts"
import { useExports } from "./useExports.ts"

const { download, exported, folderOf, member, newProject, order, perform, refusal, service, status, takeRecords, unpacked } =
  useExports()
const { request } = service

const accepted = [202, { message: "202 Accepted" }]
const notExported = [404, { message: "Export not found" }]
const noFile = [404, { message: "Export file not found" }]

const minutes = 60_000
// Each test has a day of its own, for the time of the log never goes back.
let start = Date.UTC(2030, 0, 1)
/** Stops the clock so long after the beginning of the day. */
const stopClock = (millis = 0) => void vi.useFakeTimers({ toFake: ["Date"], now: start + millis })
const timeAt = (millis: number) => new Date(start + millis).toISOString()
afterEach(() => {
  vi.useRealTimers()
  start += 24 * 60 * minutes
})

const entry = (relation: string, more: object = {}) => ({
  relation,
  status: 1,
  error: null,
  updated_at: anyTime,
  batched: false,
  batches_count: 0,
  ...more
})
const noBatches = { batched: true, batches_count: 0, batches: [] }
const newLabels = async (id: number, ...titles: ReadonlyArray<string>) => {
  for (const name of titles) await request("POST", `/projects/${id}/labels`, { json: { name, color: "#fff" } })
}
const gzipOf = async (id: number) => (await download(id, { relation: "labels" })).bytes
const statusOf = async (id: number, relation: string) => (await status(id, { query: { relation } }))[1]

describe("a request for an export", () => {
  it("is accepted, and all relations are under way, in their order", async () => {
    stopClock()
    const id = await newProject("accepted")
    expect(await status(id)).toEqual([200, []])
    expect(await order(id)).toEqual(accepted)
    const [code, body] = await status(id)
    expect(code).toBe(200)
    const updated_at = timeAt(0)
    expectExactly(
      body,
      names.map((name) => entry(name, { status: 0, updated_at }))
    )
  })

  it.each([
    ["as JSON", { json: { batched: true } }],
    ["as a form", { form: { batched: "true" } }],
    ["as a query", { query: { batched: "1" } }]
  ])("may want batches, which only collections come in: %s", async (kind, sent) => {
    const id = await newProject(`batched-${kind.replaceAll(" ", "-")}`)
    expect(await order(id, sent)).toEqual(accepted)
    const expected = names.map((name) => entry(name, { status: 0, ...(batchable.has(name) && noBatches) }))
    expectExactly((await status(id))[1], expected)
  })

  it("wants none with batched=false", async () => {
    const id = await newProject("not-batched")
    expect(await order(id, { json: { batched: false } })).toEqual(accepted)
    expectExactly(await statusOf(id, "labels"), [entry("labels", { status: 0 })])
  })

  it("is refused where `batched` is neither true nor false", async () => {
    const id = await newProject("invalid")
    for (const sent of [{ json: { batched: "x" } }, { query: { batched: "maybe" } }, { form: { batched: "2" } }])
      expect(await order(id, sent)).toEqual([400, { error: "batched is invalid" }])
    expect(await status(id)).toEqual([200, []])
  })
})

describe("the status of an export", () => {
  it("is an array of one for a relation, and missing for what is none of the export", async () => {
    const id = await newProject("one")
    for (const relation of ["labels", "wikis", "project_members"])
      expect(await status(id, { query: { relation } })).toEqual(notExported)
    await exported(id)
    expectExactly(await status(id, { query: { relation: "labels" } }), [200, [entry("labels")]])
    expectExactly(await status(id, { query: { relation: "self" } }), [200, [entry("self")]])
    for (const relation of ["wikis", "project_members", "group_members", "user_contributions", "Labels"])
      expect(await status(id, { query: { relation } })).toEqual(notExported)
  })

  it("is shown whole, without pages", async () => {
    const id = await newProject("whole")
    await exported(id)
    const { body, headers } = await request("GET", `/projects/${id}/export_relations/status`, {
      query: { per_page: "2", page: "9" }
    })
    expectExactly(
      body,
      names.map((name) => entry(name))
    )
    expect([...headers.keys()].filter((name) => /^(x-(page|per-page|total|next-page)|link)/.test(name))).toEqual([])
  })

  it("is the same for every Maintainer, whoever asked for the export", async () => {
    const id = await newProject("shared")
    const { token } = await member(id, "maintainer", "other-maintainer")
    await exported(id)
    expect(await status(id, { token })).toEqual(await status(id))
    expect((await download(id, { relation: "self" }, { token })).status).toBe(200)
  })

  it("has its batches, those too that are still to come", async () => {
    const id = await newProject("batches")
    await newLabels(id, "bug", "feature")
    await order(id, { json: { batched: true } })
    await takeRecords(id)
    const batch = { status: 0, batch_number: 1, objects_count: 0, error: null, updated_at: anyTime }
    const one = { batched: true, batches_count: 1 }
    expectExactly(await statusOf(id, "labels"), [entry("labels", { status: 0, ...one, batches: [batch] })])
    expectExactly(await statusOf(id, "milestones"), [entry("milestones", noBatches)])
    expectExactly(await statusOf(id, "self"), [entry("self", { status: 0 })])
    await perform(id)
    const over = { ...batch, status: 1, objects_count: 2 }
    expectExactly(await statusOf(id, "labels"), [entry("labels", { ...one, batches: [over] })])
    const branches = { ...one, batches: [{ ...over, objects_count: 1 }] }
    expectExactly(
      (await status(id))[1],
      names.map((name) => {
        if (name === "labels") return entry(name, { ...one, batches: [over] })
        if (name === "protected_branches") return entry(name, branches)
        return entry(name, batchable.has(name) ? noBatches : {})
      })
    )
  })

  it.each([[false], [true]])("tells why something failed, in batches: %s", async (batched) => {
    const id = await newProject(`failed-${batched}`)
    await newLabels(id, "bug")
    // A link that leads nowhere stands where the folder of the export is to be.
    const folder = await folderOf(id)
    await mkdir(dirname(folder), { recursive: true })
    await symlink(`${folder}-elsewhere`, folder)
    await exported(id, { json: { batched } })
    const error = "The folder of the export is gone"
    const batch = { status: -1, batch_number: 1, objects_count: 0, error, updated_at: anyTime }
    const whole = { status: -1, error }
    const inBatches = { ...whole, batched: true, batches_count: 1, batches: [batch] }
    expectExactly(await statusOf(id, "self"), [entry("self", whole)])
    expectExactly(await statusOf(id, "labels"), [entry("labels", batched ? inBatches : whole)])
    expectExactly(await statusOf(id, "milestones"), [entry("milestones", batched ? noBatches : whole)])
    expect(await refusal(id, { relation: "self" })).toEqual(noFile)
    const ofBatch = await refusal(id, { relation: "labels", batched: "true", batch_number: "1" })
    expect(ofBatch).toEqual(batched ? [404, { message: "Batch file not found" }] : [400, { message: "Export is not batched" }])
    await exported(id)
    expectExactly(
      (await status(id))[1],
      names.map((name) => entry(name))
    )
  })
})

describe("another request", () => {
  const setUp = async (name: string, batched: boolean) => {
    stopClock()
    const id = await newProject(name)
    await newLabels(id, "bug")
    await exported(id, { json: { batched } })
    await newLabels(id, "feature")
    return id
  }

  it("within three minutes changes nothing", async () => {
    const id = await setUp("within", false)
    const [before, bytes] = [await status(id), await gzipOf(id)]
    stopClock(3 * minutes - 1)
    expect(await order(id)).toEqual(accepted)
    expect([await status(id), await gzipOf(id)]).toEqual([before, bytes])
    await perform(id)
    expect([await status(id), await gzipOf(id)]).toEqual([before, bytes])
  })

  it("after three minutes begins anew", async () => {
    const id = await setUp("after", false)
    stopClock(3 * minutes)
    expect(await order(id)).toEqual(accepted)
    const anew = { status: 0, updated_at: timeAt(3 * minutes) }
    expectExactly(
      (await status(id))[1],
      names.map((name) => entry(name, anew))
    )
    expect(await refusal(id, { relation: "labels" })).toEqual(noFile)
    await perform(id)
    expectExactly(
      (await status(id))[1],
      names.map((name) => entry(name, { updated_at: timeAt(3 * minutes) }))
    )
    expect((await unpacked(id, { relation: "labels" })).toString().split("\n")).toHaveLength(3)
  })

  it("for batches begins anew at once", async () => {
    const id = await setUp("into-batches", false)
    stopClock(1)
    expect(await order(id, { json: { batched: true } })).toEqual(accepted)
    expectExactly(await statusOf(id, "labels"), [entry("labels", { status: 0, updated_at: timeAt(1), ...noBatches })])
    expect(await refusal(id, { relation: "labels" })).toEqual([400, { message: "Export is batched" }])
  })

  it.each([[true], [false]])("after one in batches begins anew at once, in batches: %s", async (batched) => {
    const id = await setUp(`from-batches-${batched}`, true)
    stopClock(1)
    expect(await order(id, { json: { batched } })).toEqual(accepted)
    const anew = { status: 0, updated_at: timeAt(1) }
    const expected = names.map((name) => entry(name, { ...anew, ...(batched && batchable.has(name) && noBatches) }))
    expectExactly((await status(id))[1], expected)
  })

  it("while one is under way takes its place", async () => {
    stopClock()
    const id = await newProject("under-way")
    await order(id, { json: { batched: true } })
    await takeRecords(id)
    stopClock(1)
    expect(await order(id)).toEqual(accepted)
    expectExactly(
      (await status(id))[1],
      names.map((name) => entry(name, { status: 0, updated_at: timeAt(1) }))
    )
    await perform(id)
    expectExactly(
      (await status(id))[1],
      names.map((name) => entry(name, { updated_at: timeAt(1) }))
    )
  })
})
