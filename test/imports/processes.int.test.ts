import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { ask, freshDatabase } from "#test/support/database.ts"
import { field } from "#test/support/exactly.ts"
import { type ServeProcess, serveProcess } from "#test/support/processes/serveProcess.ts"
import { until } from "#test/support/until.ts"
import { credentials, useRemote } from "./useRemote.ts"

const remote = useRemote()
const scope = Scope.makeUnsafe()
const settings = { DATABASE_URL: "", DATA_DIR: "", IMPORT_ALLOW_PRIVATE: "true" }
const processes: Array<ServeProcess> = []

const start = async (): Promise<ServeProcess> => {
  const started = await serveProcess(settings)
  processes.push(started)
  return started
}

beforeAll(async () => {
  settings.DATABASE_URL = await Effect.runPromise(Scope.provide(freshDatabase(), scope))
  settings.DATA_DIR = await mkdtemp(join(tmpdir(), "chronoforge-imports-"))
  await start()
  await start()
})
afterAll(async () => {
  await Promise.all(processes.map((each) => each.end("SIGTERM")))
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await rm(settings.DATA_DIR, { recursive: true, force: true })
})

const environmentOf = (id: number): string => {
  try {
    return readFileSync(`/proc/${id}/environ`, "latin1")
  } catch {
    return ""
  }
}

/** Who asks the remote for objects of a repository: ids of the services that started `git`. */
const fetchers = async (name: string): Promise<ReadonlyArray<number>> => {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,args="])
  return stdout
    .split("\n")
    .filter((line) => line.includes(`/${name}.git`) && / git clone /.test(line))
    .flatMap((line) => /CHRONOFORGE_PARENT=(\d+)/.exec(environmentOf(Number.parseInt(line, 10)))?.[1] ?? [])
    .map(Number)
}

const newProject = async (path: string, importUrl: string): Promise<number> => {
  const [first] = processes
  const created = await first?.request("POST", "/projects", { json: { name: path, path, import_url: importUrl } })
  if (created?.status !== 201) throw new Error(JSON.stringify(created?.body))
  return Number(field(created.body, "id"))
}

const statusOf = async (id: number) => field((await processes[0]?.request("GET", `/projects/${id}`))?.body, "import_status")

it("one of two processes imports, and when it is killed the other one does", async () => {
  remote.create("private/shared").commits([{ mark: "one", files: { "README.md": "# One\n" } }])
  const url = new URL(`${remote.url}/private/shared.git`)
  url.username = credentials.user
  url.password = encodeURIComponent(credentials.password)
  const release = remote.hold()
  const id = await newProject("shared", url.href)
  await until(async () => (await fetchers("private/shared")).length > 0)
  // Time in which the other one looks twice: that it leaves the import alone tells nobody.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  const [first, ...others] = await fetchers("private/shared")
  expect(others).toEqual([])
  const [killed] = processes.splice(
    processes.findIndex(({ pid }) => pid === first),
    1
  )
  expect(await killed?.end("SIGKILL")).toBe("SIGKILL")
  await until(async () => (await fetchers("private/shared")).some((pid) => pid !== first && pid > 1))
  release()
  await until(async () => (await statusOf(id)) === "finished")
  const [types] = await Effect.runPromise(
    ask(settings.DATABASE_URL, `select array_agg(type order by revision) from chronoforge.events where stream = 'import-${id}'`)
  )
  expect(types).toEqual([["ImportScheduled", "ImportStarted", "ImportFinished"]])
  const secrets = [credentials.password, "s3cret", encodeURIComponent(credentials.password)]
  const written = [killed, ...processes].flatMap((each) => each?.output ?? []).join("\n")
  for (const secret of secrets) expect(written).not.toContain(secret)
})

it("a service that stops ends its fetch, and goes on with it at its next start", async () => {
  remote.create("stopped").commits([{ mark: "one" }])
  const release = remote.hold()
  const id = await newProject("stopped", `${remote.url}/stopped.git`)
  await until(async () => (await fetchers("stopped")).length > 0)
  expect(await processes.pop()?.end("SIGTERM")).toBe(0)
  expect(await fetchers("stopped")).toEqual([])
  release()
  await start()
  await until(async () => (await statusOf(id)) === "finished")
})
