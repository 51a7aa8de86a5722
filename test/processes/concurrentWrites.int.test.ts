import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, freshDatabase } from "#test/support/database.ts"
import { field } from "#test/support/exactly.ts"
import { type ServeProcess, serveProcess } from "#test/support/processes/serveProcess.ts"

const cluster = { name: "c", platform_kubernetes_attributes: { api_url: "https://k8s.example.com", token: "t" } }
const user = { username: "ada", name: "Ada", email: "ada@example.com", force_random_password: true }

/** What is changed: where it is made, where it is changed, what of it, and its stream. */
const things = [
  ["user", "/users", user, "/users", "name"],
  ["group", "/groups", { name: "g", path: "g" }, "/groups", "description"],
  ["project", "/projects", { name: "p" }, "/projects", "description"],
  ["cluster", "/admin/clusters/add", cluster, "/admin/clusters", "name"]
] as const

describe("64 writes to one thing at the same time", () => {
  const scope = Scope.makeUnsafe()
  let url: string
  let folder: string
  let services: [ServeProcess, ServeProcess]
  const ids = new Map<string, number>()

  beforeAll(async () => {
    url = await Effect.runPromise(Scope.provide(freshDatabase(), scope))
    folder = await mkdtemp(join(tmpdir(), "chronoforge-writes-"))
    const settings = { DATABASE_URL: url, DATA_DIR: folder }
    services = await Promise.all([serveProcess(settings), serveProcess(settings)])
    for (const [thing, path, json] of things) {
      ids.set(thing, Number(field((await services[0].request("POST", path, { json })).body, "id")))
    }
  })
  afterAll(async () => {
    await Promise.all(services.map((service) => service.end("SIGTERM")))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(folder, { recursive: true, force: true })
  })

  /** What the changes of a thing made of the attribute, in their order. */
  const changesOf = async (stream: string, attribute: string): Promise<ReadonlyArray<string>> => {
    const rows = await Effect.runPromise(
      ask(url, `select data from chronoforge.events where stream = '${stream}' and revision > 0 order by revision`)
    )
    return rows.flatMap(([data]) => new RegExp(`"${attribute}":"([^"]*)"`).exec(String(data))?.[1] ?? [])
  }

  describe.each([
    ["one process", 1],
    ["two processes", 2]
  ] as const)("from %s", (_, processes) => {
    it.each(things)("all succeed, and none is lost: a %s", async (thing, _made, _json, path, attribute) => {
      const id = ids.get(thing)
      const values = Array.from({ length: 64 }, (_, index) => `${processes}-${index}`)
      const change = (value: string, index: number) =>
        services[index % processes === 0 ? 0 : 1].request("PUT", `${path}/${id}`, { json: { [attribute]: value } })
      const answers = await Promise.all(values.map(change))
      expect(answers.map(({ status }) => status)).toEqual(values.map(() => 200))
      const made = (await changesOf(`${thing}-${id}`, attribute)).filter((value) => value.startsWith(`${processes}-`))
      expect(made.toSorted()).toEqual(values.toSorted())
      const { body } = await services[1].request("GET", `${path}/${id}`)
      expect(field(body, attribute)).toBe(made.at(-1))
    })

    it("all succeed, and none is lost: commits to one branch", async () => {
      const project = { name: `of-${processes}`, initialize_with_readme: true }
      const id = field((await services[0].request("POST", "/projects", { json: project })).body, "id")
      const commit = (_: unknown, index: number) => {
        const actions = [{ action: "create", file_path: `file-${index}`, content: "" }]
        const json = { branch: "main", commit_message: "m", actions }
        return services[index % processes === 0 ? 0 : 1].request("POST", `/projects/${id}/repository/commits`, { json })
      }
      const answers = await Promise.all(Array.from({ length: 64 }, commit))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
      const { body } = await services[1].request("GET", `/projects/${id}/repository/commits/main/sequence`)
      expect(body).toEqual({ count: 65 })
    })
  })
})
