import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startEventStoreDbServer } from "#test/support/eventStoreDbServer/EventStoreDbServer.ts"
import { type LogServer, ownServer } from "#test/support/eventStoreDbServer/LogServer.ts"
import { reachRealServer } from "#test/support/eventStoreDbServer/realServer.ts"
import { type ServeProcess, serveProcess } from "#test/support/processes/serveProcess.ts"

const writers = 8
/** How often each death comes, and how much is written meanwhile by each writer. */
interface Extent {
  readonly rounds: number
  readonly writesEach: number
}

/** The same request again does nothing again. */
const add = (service: ServeProcess, scope: string) =>
  service.request("POST", "/admin/clusters/add", {
    headers: { "idempotency-key": `add ${scope}` },
    json: {
      name: scope,
      environment_scope: scope,
      platform_kubernetes_attributes: { api_url: "https://k8s.example.com", token: "t" }
    }
  })

interface Cluster {
  readonly id: number
  readonly name: string
}

const clusters = async (service: ServeProcess): Promise<ReadonlyArray<Cluster>> => {
  const found: Array<Cluster> = []
  for (let page = 1; ; page++) {
    const { body } = await service.request("GET", "/admin/clusters", { query: { per_page: "100", page: String(page) } })
    if (!Array.isArray(body) || body.length === 0) return found
    found.push(...body)
  }
}

/** What dies in the middle of writes. */
const deaths = ["the service", "the server", "both"] as const
type Death = (typeof deaths)[number]

interface Stage {
  readonly server: LogServer
  readonly settings: Readonly<Record<string, string>>
}

/** Runs a command of the service; its exit code and what it printed. */
const run = async ({ settings }: Stage, ...args: ReadonlyArray<string>) => {
  const env = { PATH: process.env.PATH ?? "", ...settings }
  const child = spawn(process.execPath, ["src/main.js", ...args], { env, stdio: ["ignore", "pipe", "inherit"] })
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, "exit")])
  return { status, output }
}

/** Lets something die, and start again; the service that then runs. */
const die = async ({ server, settings }: Stage, who: Death, service: ServeProcess): Promise<ServeProcess> => {
  const [, start] = await Promise.all([
    who === "the server" ? undefined : service.end("SIGKILL"),
    who === "the service" ? undefined : server.control?.kill()
  ])
  await start?.()
  return who === "the server" ? service : serveProcess(settings)
}

/** Writes until everything is acknowledged, by the service or its successor, while something dies. */
const writeThrough = async (stage: Stage, scopes: ReadonlyArray<string>, who: Death, first: ServeProcess) => {
  let service = first
  let successor: Promise<ServeProcess> | undefined
  let acknowledged = 0
  const acknowledge = () => {
    acknowledged += 1
    if (acknowledged === scopes.length / 4) successor = die(stage, who, service)
  }
  const write = async (scope: string) => {
    for (;;) {
      const answer = await add(service, scope).catch(() => undefined)
      if (answer?.status === 201) return acknowledge()
      // A request that was cut off is running for the log, until it is found dead.
      if (answer !== undefined) expect([503, 409]).toContain(answer.status)
      service = (await successor) ?? service
    }
  }
  const writer = async (place: number) => {
    for (let index = place; index < scopes.length; index += writers) await write(scopes[index] ?? "")
  }
  await Promise.all(Array.from({ length: writers }, (_, place) => writer(place)))
  return (await successor) ?? service
}

const crashTest = (name: string, server: LogServer, { rounds, writesEach }: Extent) =>
  describe(name, () => {
    let folder = ""
    let service: ServeProcess | undefined
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "chronoforge-crash-"))
    })
    afterAll(async () => {
      await service?.end("SIGTERM")
      await rm(folder, { recursive: true, force: true })
    })

    it("has every acknowledged write once, whole chains and equal read models, whatever died", async () => {
      const stage = { server, settings: { DATA_DIR: folder, EVENTSTORE_URL: server.url } }
      service = await serveProcess(stage.settings)
      const before = (await clusters(service)).map(({ name }) => name)
      const written: Array<string> = []
      for (let round = 0; round < rounds; round++) {
        for (const who of deaths) {
          const scopes = Array.from({ length: writers * writesEach }, (_, index) => `${who} ${process.pid} ${round} ${index}`)
          service = await writeThrough(stage, scopes, who, service)
          written.push(...scopes)
          const names = (await clusters(service)).map(({ name }) => name)
          expect(names.toSorted()).toEqual([...before, ...written].toSorted())
        }
      }
      const shown = await clusters(service)
      expect(await run(stage, "rebuild")).toEqual({ status: 0, output: expect.stringContaining("Differences: nothing") })
      expect(await clusters(service)).toEqual(shown)
      expect(await service.end("SIGTERM")).toBe(0)
      const { output, status } = await run(stage, "verify", "--json")
      expect([status, JSON.parse(output)]).toEqual([0, expect.objectContaining({ ok: true, faults: [] })])
    })
  })

const own = await startEventStoreDbServer()
afterAll(own.stop)
crashTest("the service over EventStoreDB, when something is killed in the middle of writes", ownServer(own), {
  rounds: 1,
  writesEach: 5
})

// The same on a real server with a new log, where one is named: nobody else may write there meanwhile.
const { EVENTSTORE_CONTROL, EVENTSTORE_CRASH_URL } = process.env
const real = await reachRealServer({ EVENTSTORE_CONTROL, EVENTSTORE_URL: EVENTSTORE_CRASH_URL })
if (real !== undefined) {
  afterAll(real.stop)
  crashTest("the service over the EventStoreDB of EVENTSTORE_CRASH_URL", real, { rounds: 3, writesEach: 20 })
}
