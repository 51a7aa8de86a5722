import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Spools } from "#src/git/process/Spools.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import { useService } from "#test/support/service.ts"
import "#test/support/propertySeed.ts"

const service = useService()
const workers = new Set<ChildProcess>()
const place = { id: 0, dataDir: "", databaseUrl: "" }

const request = async (path: string, json: object) => {
  const received = await service.request("POST", path, { json })
  expect(received.status).toBeLessThan(300)
  return received.body
}
/** Makes so many, a few at a time. */
const many = async (count: number, make: (index: number) => Promise<unknown>) => {
  const left = Array.from({ length: count }, (_, index) => index)
  const next = async () => {
    for (let index = left.pop(); index !== undefined; index = left.pop()) await make(index)
  }
  await Promise.all(Array.from({ length: 16 }, next))
}

beforeAll(async () => {
  place.id = Number(field(await request("/projects", { name: "exported", initialize_with_readme: true }), "id"))
  const project = `/projects/${place.id}`
  await many(1_030, (index) => request(`${project}/labels`, { name: `label ${index}`, color: "#aabbcc" }))
  await many(30, (index) => request(`${project}/issues`, { title: `Issue ${index}`, labels: "label 1,label 2" }))
  await many(30, (index) => request(`${project}/issues/1/notes`, { body: `Note ${index}` }))
  const { databaseUrl, folder } = await service.run(
    Effect.all({ databaseUrl: Sql.use(({ url }) => Effect.succeed(url)), folder: Effect.map(Spools, (spools) => spools.folder) })
  )
  Object.assign(place, { databaseUrl, dataDir: dirname(folder) })
})
afterAll(() => {
  for (const worker of workers) worker.kill("SIGKILL")
})

const program = fileURLToPath(new URL("exportWorker.ts", import.meta.url))

/** A worker that waits to begin. */
const newWorker = async () => {
  const child = spawn(process.execPath, [program, String(place.id), place.databaseUrl], {
    env: { PATH: process.env.PATH, DATA_DIR: place.dataDir, NODE_COMPILE_CACHE: join(place.dataDir, "compiled") },
    stdio: ["pipe", "pipe", "inherit"]
  })
  workers.add(child)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe("ready")
  const exit = once(child, "exit")
  return {
    /** Lets it begin, and kills it after so many milliseconds unless it has ended. */
    run: async (millis: number) => {
      child.stdin.write("\n")
      const timer = setTimeout(() => child.kill("SIGKILL"), millis)
      await exit
      clearTimeout(timer)
      workers.delete(child)
      return child.signalCode === null ? child.exitCode : child.signalCode
    },
    /** Lets it begin, and stops it after so many milliseconds; `wake` lets it go on, and waits until it has ended. */
    standStill: (millis: number) => {
      child.stdin.write("\n")
      const stands = new Promise<void>((resolve) => {
        setTimeout(() => {
          child.kill("SIGSTOP")
          resolve()
        }, millis)
      })
      const wake = async () => {
        child.kill("SIGCONT")
        await exit
        workers.delete(child)
      }
      return { stands, wake }
    }
  }
}

const requestExport = () => request(`/projects/${place.id}/export_relations`, { batched: true })

const eventsOf = () => service.run(EventStore.use((store) => store.read(`relationExport-${place.id}`)))

/** What the log tells of the last export: each file with its relation and batch, and whether all is over. */
const told = async () => {
  const events = await eventsOf()
  const last = events.slice(events.findLastIndex(({ type }) => type === "ExportRequested"))
  const files = last.flatMap(({ data, type }) =>
    type === "BatchExported" || type === "RelationExported" ? [{ ...Object(data), number: undefined }] : []
  )
  return { files, number: field(last[0]?.data, "number"), isOver: last.at(-1)?.type === "ExportFinished" }
}

const forever = 2 ** 31 - 1

/** All files of the last export, by their names. */
const contents = async ({ files, number }: Awaited<ReturnType<typeof told>>) => {
  const names = files.flatMap(({ file }) => (file === null ? [] : [String(file.sha256)]))
  const folder = join(place.dataDir, "exports", String(place.id), String(number))
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)))
}

describe("an export", () => {
  const undisturbed = { files: new Map<string, Buffer>(), told: [] as ReadonlyArray<object>, millis: 0 }
  beforeAll(async () => {
    await requestExport()
    const worker = await newWorker()
    const start = performance.now()
    expect(await worker.run(forever)).toBe(0)
    undisturbed.millis = performance.now() - start
    const of = await told()
    expect([of.isOver, of.files.length]).toEqual([true, 30])
    undisturbed.told = of.files
    undisturbed.files = await contents(of)
  })

  it("is the same to the byte, wherever its workers are killed", async () => {
    const moments = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), 20)
    let kills = 0
    await requestExport()
    for (const moment of moments) {
      if ((await told()).isOver) await requestExport()
      const end = await (await newWorker()).run(moment * undisturbed.millis)
      if (end === "SIGKILL") kills++
      else expect(end).toBe(0)
      const of = await told()
      if (of.isOver) expect([of.files, await contents(of)]).toEqual([undisturbed.told, undisturbed.files])
    }
    expect(await (await newWorker()).run(forever)).toBe(0)
    const of = await told()
    expect([of.isOver, of.files, await contents(of)]).toEqual([true, undisturbed.told, undisturbed.files])
    expect(kills).toBeGreaterThan(0)
  })

  it("is the same when a worker stands still, another one ends it, and the first one wakes", async () => {
    for (const moment of fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), 4)) {
      await requestExport()
      const [frozen, other] = [await newWorker(), await newWorker()]
      const waking = frozen.standStill(moment * undisturbed.millis)
      await waking.stands
      expect(await other.run(forever)).toBe(0)
      const of = await told()
      expect([of.isOver, of.files, await contents(of)]).toEqual([true, undisturbed.told, undisturbed.files])
      await waking.wake()
      expect(await told()).toEqual(of)
      expect(await contents(of)).toEqual(undisturbed.files)
    }
  })

  it("is the same when two workers do it at once", async () => {
    await requestExport()
    const both = [await newWorker(), await newWorker()]
    expect(await Promise.all(both.map(({ run }) => run(forever)))).toEqual([0, 0])
    const of = await told()
    expect([of.isOver, of.files, await contents(of)]).toEqual([true, undisturbed.told, undisturbed.files])
  })
})
