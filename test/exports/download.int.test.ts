import { rm } from "node:fs/promises"
import { gunzipSync, gzipSync } from "node:zlib"
import { beforeAll, describe, expect, it, vi } from "vitest"
import { batchable, files } from "./samples.ts"
import { useExports } from "./useExports.ts"

const { download, exported, folderOf, newProject, order, refusal, service, takeRecords, tell, textOf } = useExports()
const { request } = service

const invalid = (error: string) => [400, { error }]
const bad = (message: string) => [400, { message }]
const missing = (message: string) => [404, { message }]
const notPortable = "relation is not portable"
const pair = "batched, batch_number provide all or none of parameters"

const newLabel = (id: number) => request("POST", `/projects/${id}/labels`, { json: { name: "bug", color: "#fff" } })
const first = { relation: "labels", batched: "true", batch_number: "1" }

const time = "2030-01-01T00:00:00.000Z"
/** The label of a project. */
const lineOf = (id: number) =>
  `{"title":"bug","color":"#fff","project_id":${id},"created_at":"${time}","updated_at":"${time}","template":false,"description":null,"group_id":null,"type":"ProjectLabel","priorities":[]}\n`

const projects = { bare: 0, whole: 0, batched: 0 }
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(time) })
  projects.bare = await newProject("bare")
  projects.whole = await newProject("whole")
  projects.batched = await newProject("batched")
  for (const id of [projects.whole, projects.batched]) await newLabel(id)
  await exported(projects.whole)
  await exported(projects.batched, { json: { batched: true } })
  vi.useRealTimers()
})

describe("what is wrong with parameters is told, whatever is exported", () => {
  it.each<[Readonly<Record<string, string>>, string]>([
    [{}, `relation is missing, ${notPortable}`],
    [{ relation: "" }, notPortable],
    [{ relation: "wikis" }, notPortable],
    [{ relation: "Labels" }, notPortable],
    [{ relation: "project_members" }, notPortable],
    [{ relation: "group_members" }, notPortable],
    [{ relation: "user_contributions" }, notPortable],
    [{ relation: "labels", batched: "true" }, pair],
    [{ relation: "labels", batched: "false" }, pair],
    [{ relation: "labels", batch_number: "1" }, pair],
    [{ relation: "labels", batch_number: "x" }, `batch_number is invalid, ${pair}`],
    [{ relation: "labels", batched: "true", batch_number: "x" }, "batch_number is invalid"],
    [{ relation: "labels", batched: "true", batch_number: "1.5" }, "batch_number is invalid"],
    [{ relation: "labels", batched: "true", batch_number: "9223372036854775808" }, "batch_number is invalid"],
    [{ relation: "labels", batched: "x", batch_number: "1" }, "batched is invalid"],
    [{ batched: "false" }, `relation is missing, ${notPortable}, ${pair}`]
  ])("%j", async (query, error) => {
    for (const id of Object.values(projects)) expect(await refusal(id, query)).toEqual(invalid(error))
  })
})

describe("what there is no file of", () => {
  it("a project that was not exported", async () => {
    for (const relation of Object.keys(files)) {
      expect(await refusal(projects.bare, { relation })).toEqual(missing("Export not found"))
      expect(await refusal(projects.bare, { ...first, relation })).toEqual(missing("Export not found"))
    }
  })

  it("an export that is not over", async () => {
    const id = await newProject("pending")
    await order(id)
    const query = { relation: "labels" }
    for (const more of [{}, { batched: "false", batch_number: "1" }, { batched: "0", batch_number: "0" }])
      expect(await refusal(id, { ...query, ...more })).toEqual(missing("Export file not found"))
    expect(await refusal(id, first)).toEqual(bad("Export is not batched"))
  })

  it("a batch of what is not in batches", async () => {
    for (const batch_number of ["0", "1", "2"])
      expect(await refusal(projects.whole, { ...first, batch_number })).toEqual(bad("Export is not batched"))
    expect(await refusal(projects.batched, { ...first, relation: "self" })).toEqual(bad("Export is not batched"))
  })

  it("the whole of what is in batches", async () => {
    const query = { relation: "labels" }
    expect(await refusal(projects.batched, query)).toEqual(bad("Export is batched"))
    for (const batched of ["false", "0"])
      expect(await refusal(projects.batched, { ...first, batched })).toEqual(bad("Export is batched"))
  })

  it("a batch that there is none of", async () => {
    const none = missing("Batch not found")
    for (const batch_number of ["-1", "0", "2", "1001", "9007199254740991"])
      expect(await refusal(projects.batched, { ...first, batch_number })).toEqual(none)
    for (const batch_number of ["0", "1"])
      expect(await refusal(projects.batched, { ...first, relation: "milestones", batch_number })).toEqual(none)
  })

  it("a batch that is not done", async () => {
    const id = await newProject("half")
    await newLabel(id)
    await order(id, { json: { batched: true } })
    expect(await refusal(id, first)).toEqual(missing("Batch not found"))
    await takeRecords(id)
    expect(await refusal(id, first)).toEqual(missing("Batch file not found"))
    expect(await refusal(id, { ...first, batch_number: "2" })).toEqual(missing("Batch not found"))
    await tell(id, { _tag: "FailBatch", relation: "labels", batch: 1, error: "No space" })
    expect(await refusal(id, first)).toEqual(missing("Batch file not found"))
  })

  it("a file that is gone from the disk", async () => {
    const [whole, batched] = [await newProject("gone"), await newProject("gone-batched")]
    for (const id of [whole, batched]) await newLabel(id)
    await exported(whole)
    await exported(batched, { json: { batched: true } })
    for (const id of [whole, batched]) await rm(await folderOf(id), { recursive: true })
    expect(await refusal(whole, { relation: "labels" })).toEqual(missing("404 Not Found"))
    expect(await refusal(batched, first)).toEqual(missing("404 Not Found"))
  })
})

describe("a file", () => {
  const headersOf = (headers: Headers) =>
    ["content-type", "content-disposition", "content-transfer-encoding", "content-encoding", "content-length"].map((name) =>
      headers.get(name)
    )

  it.each(Object.entries(files))("of %s is %s", async (relation, name) => {
    const { bytes, headers, status } = await download(projects.whole, { relation })
    const disposition = `attachment; filename="${name}"; filename*=UTF-8''${name}`
    const expected = ["application/octet-stream", disposition, "binary", null, String(bytes.length)]
    expect([status, headersOf(headers)]).toEqual([200, expected])
    // The two bytes with which all files of gzip begin.
    expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
  })

  it("of a batch is called as its relation is, and has the same content where there is one batch", async () => {
    const { bytes, headers, status } = await download(projects.batched, first)
    const disposition = `attachment; filename="labels.ndjson.gz"; filename*=UTF-8''labels.ndjson.gz`
    const expected = ["application/octet-stream", disposition, "binary", null, String(bytes.length)]
    expect([status, headersOf(headers)]).toEqual([200, expected])
    expect(gunzipSync(bytes).toString()).toBe(lineOf(projects.batched))
    expect(await textOf(projects.whole, "labels")).toBe(lineOf(projects.whole))
  })

  it("is the same each time", async () => {
    const { bytes } = await download(projects.whole, { relation: "self" })
    expect((await download(projects.whole, { relation: "self" })).bytes).toEqual(bytes)
  })

  const empty = [...batchable].filter((name) => !["labels", "protected_branches", "uploads", "lfs_objects"].includes(name))
  it.each(empty)("of %s without records has no content", async (relation) => {
    const { bytes, status } = await download(projects.whole, { relation })
    expect([status, gunzipSync(bytes), bytes]).toEqual([200, Buffer.alloc(0), gzipSync("")])
  })

  it.each(["container_expiration_policy", "error_tracking_setting", "service_desk_setting"])(
    "of %s, which no project has, says null",
    async (relation) => {
      expect(await textOf(projects.whole, relation)).toBe("null")
    }
  )

  it("of folders, which no project has, is an empty tar", async () => {
    for (const relation of ["uploads", "lfs_objects", "design"])
      expect(gunzipSync((await download(projects.whole, { relation })).bytes)).toEqual(Buffer.alloc(1024))
  })
})
