import { randomBytes } from "node:crypto"
import { access, mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { gunzipSync } from "node:zlib"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { ExportRecords } from "#src/exports/ExportRecords.ts"
import { ExportStorage, makeExportStorage } from "#src/exports/files/ExportStorage.ts"
import { ExportQueries } from "#src/exports/Queries.ts"
import { relations } from "#src/exports/relations.ts"
import { giveUpExport, performExport } from "#src/exports/work/performExport.ts"
import { expireExports, removeExports } from "#src/exports/work/removeExports.ts"
import { runExports } from "#src/exports/work/runExports.ts"
import { Spools } from "#src/git/process/Spools.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { whileReacting } from "#test/support/reactions/whileReacting.ts"
import { useService } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"

const service = useService()
const { request } = service
/** Runs an effect, and waits until all that it did is shown. */
const run: typeof service.run = (effect) => service.run(Effect.ensuring(effect, Effect.orDie(settled)))
let folder = ""
beforeAll(async () => {
  folder = join(dirname(await run(Effect.map(Spools, (spools) => spools.folder))), "exports")
})

const newProject = async (name: string, sent = {}): Promise<number> => {
  const { body } = await request("POST", "/projects", { json: { name, initialize_with_readme: true }, ...sent })
  const id = Number(field(body, "id"))
  await request("POST", `/projects/${id}/labels`, { json: { name: "bug", color: "#aabbcc" } })
  return id
}
const ask = (id: number, json = {}, sent = {}) => request("POST", `/projects/${id}/export_relations`, { json, ...sent })
const statusOf = async (id: number): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const { body } = await request("GET", `/projects/${id}/export_relations/status`)
  return Array.isArray(body) ? body : []
}
const perform = (id: number) => run(performExport(id))
const outcomes = async (id: number) => (await statusOf(id)).map(({ error, relation, status }) => [relation, status, error])
const same = (status: number, error: string | null) => relations.map(({ name }) => [name, status, error])
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false
  )
const filesOf = (id: number) => readdir(join(folder, String(id)), { recursive: true }).catch(() => [])
const labelsOf = async (id: number) => {
  const response = await fetch(`${service.url}/api/v4/projects/${id}/export_relations/download?relation=labels`, {
    headers: { "private-token": "glpat-root-token-of-tests" }
  })
  return gunzipSync(await response.bytes())
    .toString()
    .trim()
    .split("\n")
    .map((line) => field(JSON.parse(line), "title"))
}
/** The tables of copied records. */
const copies = () =>
  run(
    Effect.map(
      Sql.use(({ client }) => query(() => client`select from pg_tables where tablename like ${"export_parts_%"}`)),
      ({ length }) => length
    )
  )

describe("an export fails with the reason", () => {
  it("when the disk is full, and can be asked for again", async () => {
    const id = await newProject("full")
    await ask(id)
    for (const spare of [0, 10_000_000]) {
      let left = spare
      // The copy fits into it, and no file then.
      const spareThen = () => Promise.resolve(left).finally(() => (left = 0))
      await run(Effect.provideService(performExport(id), ExportStorage, makeExportStorage(folder, spareThen)))
      expect(await outcomes(id)).toEqual(same(-1, "No space left on the disk"))
      expect([await copies(), await filesOf(id)]).toEqual([0, spare === 0 ? [] : ["2"]])
      await ask(id)
    }
    await perform(id)
    expect(await outcomes(id)).toEqual(same(1, null))
  })

  it("when its folder cannot be made", async () => {
    const id = await newProject("no folder")
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, String(id)), "")
    await ask(id)
    await perform(id)
    expect(await outcomes(id)).toEqual(same(-1, "The folder of the export is gone"))
  })

  it("when the disk can only be read", async () => {
    const id = await newProject("read only")
    await ask(id)
    const begin = () => Promise.reject(Object.assign(new Error("read-only file system"), { code: "EROFS" }))
    await run(ExportStorage.use((storage) => Effect.provideService(performExport(id), ExportStorage, { ...storage, begin })))
    expect(await outcomes(id)).toEqual(same(-1, "The disk cannot be written"))
  })

  it("when its folder vanishes: what was there before stays so", async () => {
    const id = await newProject("vanished")
    await ask(id, { batched: true })
    const vanishing = ExportRecords.use((records) => {
      const pack: typeof records.pack = async function* (of, range, level) {
        if (range.relation === "protected_branches") await rm(join(folder, String(id)), { recursive: true })
        yield* records.pack(of, range, level)
      }
      return Effect.provideService(performExport(id), ExportRecords, { ...records, pack })
    })
    await run(vanishing)
    const gone = "The folder of the export is gone"
    const told = await statusOf(id)
    expect(told.find(({ relation }) => relation === "labels")).toMatchObject({ status: 1, error: null })
    expect(told.find(({ relation }) => relation === "protected_branches")).toEqual({
      relation: "protected_branches",
      status: -1,
      error: gone,
      updated_at: expect.any(String),
      batched: true,
      batches_count: 1,
      batches: [{ status: -1, batch_number: 1, objects_count: 0, error: gone, updated_at: expect.any(String) }]
    })
    expect(told.find(({ relation }) => relation === "self")).toMatchObject({ status: -1, error: gone })
    const download = `/projects/${id}/export_relations/download`
    const lost = await request("GET", download, { query: { relation: "labels", batched: "true", batch_number: "1" } })
    expect([lost.status, lost.body]).toEqual([404, { message: "404 Not Found" }])
    const failed = await request("GET", download, { query: { relation: "self" } })
    expect([failed.status, failed.body]).toEqual([404, { message: "Export file not found" }])
  })

  it("when the disk becomes full at the last file of a large repository, which is no end of the service", async () => {
    const id = await newProject("large")
    // Of what cannot be compressed, so that the tar does not fit where the bundle did.
    const content = randomBytes(300_000).toString("base64")
    const json = { branch: "main", commit_message: "m", content, encoding: "base64" }
    expect((await request("POST", `/projects/${id}/repository/files/large`, { json })).status).toBe(201)
    await ask(id)
    const filling = ExportStorage.use((storage) => {
      const full = makeExportStorage(folder, () => Promise.resolve(0))
      let isRepository = false
      let drafts = 0
      const open: typeof storage.open = (draft) => (isRepository && ++drafts === 2 ? full.open(draft) : storage.open(draft))
      return ExportRecords.use((records) => {
        const read: typeof records.read = (of, range) => {
          isRepository = range.relation === "repository"
          return records.read(of, range)
        }
        return performExport(id).pipe(
          Effect.provideService(ExportStorage, { ...storage, open }),
          Effect.provideService(ExportRecords, { ...records, read })
        )
      })
    })
    await run(filling)
    const failed = (await outcomes(id)).filter(([, status]) => status !== 1)
    expect(failed).toEqual([["repository", -1, "No space left on the disk"]])
  })

  it("with all its batches, when the service gives it up in the middle", async () => {
    const id = await newProject("given up")
    await ask(id, { batched: true })
    const dying = ExportStorage.use((storage) => {
      const open: typeof storage.open = () => {
        throw new Error("The process dies")
      }
      return Effect.exit(Effect.provideService(performExport(id), ExportStorage, { ...storage, open }))
    })
    await run(dying)
    await run(giveUpExport({ projectId: id, number: 1 }))
    const [labels] = await statusOf(id)
    const failed = { status: -1, error: "The service failed to export it", updated_at: expect.any(String) }
    expect(labels).toEqual({
      relation: "labels",
      ...failed,
      batched: true,
      batches_count: 1,
      batches: [{ ...failed, batch_number: 1, objects_count: 0 }]
    })
    expect(await copies()).toBe(0)
  })

  it("when the service fails again and again: nothing stays under way", async () => {
    const id = await newProject("failing")
    await ask(id)
    const failing = ExportRecords.use((records) =>
      Effect.provideService(runExports, ExportRecords, { ...records, take: () => Effect.die(new Error("out of order")) })
    )
    const isOver = async () => (await statusOf(id)).every(({ status }) => status === -1)
    await run(
      Effect.raceFirst(
        failing,
        Effect.promise(() => until(isOver))
      )
    )
    expect(await outcomes(id)).toEqual(same(-1, "The service failed to export it"))
  })
})

describe("an export that is begun", () => {
  it("has what was there then, whoever ends it, and leaves no copy", async () => {
    const id = await newProject("begun")
    await ask(id)
    const dying = ExportStorage.use((storage) => {
      const open: typeof storage.open = () => {
        throw new Error("The process dies")
      }
      return Effect.exit(Effect.provideService(performExport(id), ExportStorage, { ...storage, open }))
    })
    await run(dying)
    expect(await copies()).toBeGreaterThan(0)
    await request("POST", `/projects/${id}/labels`, { json: { name: "late", color: "#aabbcc" } })
    await perform(id)
    expect([await labelsOf(id), await outcomes(id), await copies()]).toEqual([["bug"], same(1, null), 0])
  })

  it("ends when another one takes its place", async () => {
    const id = await newProject("replaced")
    await ask(id)
    const overtaken = ExportRecords.use((records) => {
      const pack: typeof records.pack = async function* (of, range, level) {
        if (range.relation === "protected_branches") await ask(id, { batched: true })
        yield* records.pack(of, range, level)
      }
      return Effect.provideService(performExport(id), ExportRecords, { ...records, pack })
    })
    await run(overtaken)
    expect(new Set((await statusOf(id)).map(({ status }) => status))).toEqual(new Set([0]))
    await perform(id)
    expect(await outcomes(id)).toEqual(same(1, null))
  })

  it("is broken off where nobody wants it any more, however long its file takes", async () => {
    const [id, deleted] = [await newProject("endless"), await newProject("endless and deleted")]
    const unwanted = [
      [id, () => ask(id, { batched: true })],
      [deleted, () => request("DELETE", `/projects/${deleted}`)]
    ] as const
    await Promise.all(
      unwanted.map(async ([each, happen]) => {
        await ask(each)
        const endless = ExportRecords.use((records) => {
          const pack: typeof records.pack = async function* () {
            await happen()
            yield await new Promise<never>(() => {})
          }
          return Effect.provideService(performExport(each), ExportRecords, { ...records, pack })
        })
        await run(endless)
      })
    )
    expect((await statusOf(id))[0]).toMatchObject({ relation: "labels", status: 0, batched: true })
    expect(await filesOf(deleted)).toEqual([])
  })

  it("is never told as whole when what it was made of is gone", async () => {
    const id = await newProject("lost")
    await ask(id)
    const dying = ExportRecords.use((records) => {
      const take: typeof records.take = (of, maxBytes) => Effect.tap(records.take(of, maxBytes), () => records.forget(of))
      return Effect.exit(Effect.provideService(performExport(id), ExportRecords, { ...records, take }))
    })
    expect((await run(dying))._tag).toBe("Failure")
    expect((await statusOf(id))[0]).toMatchObject({ relation: "labels", status: 0 })
  })
})

it("exports are done by turns of those who want them", async () => {
  const tokenOf = async (name: string) => (await issueTokenFor(service, await createUser(service, name))).text
  const [ada, bob] = [await tokenOf("ada"), await tokenOf("bob")]
  const wanted: Array<number> = []
  for (const [token, name] of [
    [ada, "one"],
    [ada, "two"],
    [bob, "three"]
  ] as const) {
    const id = await newProject(name, { token })
    await ask(id, {}, { token })
    wanted.push(id)
  }
  const due = (running: ReadonlyArray<number>, waiting: ReadonlyArray<number>, limit = 10) =>
    run(
      Effect.map(
        ExportQueries.use((exports) => exports.due({ running, waiting, limit })),
        (rows) => rows.flatMap(({ id }) => (wanted.includes(id) ? [wanted.indexOf(id)] : []))
      )
    )
  expect([await due([], []), await due([wanted[0] ?? 0], []), await due([], [wanted[0] ?? 0])]).toEqual([
    [0, 2, 1],
    [2, 1],
    [1, 2]
  ])
  const areOver = async () => (await due([], [])).length === 0
  await run(
    Effect.raceFirst(
      runExports,
      Effect.promise(() => until(areOver))
    )
  )
  for (const id of wanted) expect(await outcomes(id)).toEqual(same(1, null))
})

describe("files go", () => {
  it("with the export that takes their place, and with their project", async () => {
    const [id, deleted] = [await newProject("again"), await newProject("deleted")]
    const replacing = Effect.promise(async () => {
      for (const each of [id, id, deleted]) {
        await ask(each, { batched: true })
        await perform(each)
      }
      await until(async () => !(await isThere(join(folder, String(id), "1"))))
      expect(await isThere(join(folder, String(id), "2"))).toBe(true)
      await request("DELETE", `/projects/${deleted}`)
      await until(async () => (await filesOf(deleted)).length === 0)
    })
    await run(whileReacting("exports", removeExports, replacing))
    expect(await outcomes(id)).toEqual(same(1, null))
  })

  it("also where the project is deleted while it is exported", async () => {
    const id = await newProject("doomed")
    await ask(id)
    const deleting = ExportRecords.use((records) => {
      const pack: typeof records.pack = async function* (of, range, level) {
        if (range.relation === "protected_branches") await request("DELETE", `/projects/${id}`)
        yield* records.pack(of, range, level)
      }
      return Effect.provideService(performExport(id), ExportRecords, { ...records, pack })
    })
    await run(deleting)
    expect(await filesOf(id)).toEqual([])
  })

  it("when they have been kept for as long as the installation says, and not before", async () => {
    const [old, recent] = [await newProject("old"), await newProject("recent")]
    for (const each of [old, recent]) {
      await ask(each)
      await perform(each)
    }
    const age = (id: number, millis: number) =>
      run(
        Sql.use(({ client }) =>
          query(
            () => client`
        update rm_exports.exports set finished_at = finished_at - ${millis}::bigint where project_id = ${id}`
          )
        )
      )
    await age(old, 72 * 3_600_000)
    await age(recent, 71 * 3_600_000)
    const gone = Effect.promise(() => until(async () => (await filesOf(old)).length === 0))
    const both = Effect.all([removeExports, expireExports(72)], { concurrency: 2 })
    await run(whileReacting("exports", both, gone))
    expect([await statusOf(old), (await statusOf(recent)).length]).toEqual([[], relations.length])
    const { body, status } = await request("GET", `/projects/${old}/export_relations/download`, { query: { relation: "labels" } })
    expect([status, body]).toEqual([404, { message: "Export not found" }])
  })
})
