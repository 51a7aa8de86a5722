import { mkdir, rmdir } from "node:fs/promises"
import { join } from "node:path"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { routes } from "#src/composition.ts"
import { Repositories } from "#src/git/Repositories.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { ask } from "#test/support/database.ts"
import { field } from "#test/support/exactly.ts"
import { holdUsers } from "#test/support/people/holdUsers.ts"
import { useService } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"
import { parsePrometheusText } from "./prometheusText.ts"

const service = useService()
const get = (path: string) => service.request("GET", path, { token: null })

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {}

describe("the operator's pages", () => {
  it("need no token", async () => {
    const pages = ["health", "readiness", "metrics", "openapi.json", "docs"]
    const answers: Array<unknown> = []
    for (const page of pages) {
      const { headers, status } = await get(`/-/${page}`)
      answers.push([status, headers.get("content-type")])
    }
    expect(answers).toEqual([
      [200, "application/json"],
      [200, "application/json"],
      [200, "text/plain; version=0.0.4; charset=utf-8"],
      [200, "application/json"],
      [200, expect.stringMatching(/^text\/html/)]
    ])
  })

  it.each([
    ["HEAD", "/-/health", 200, undefined],
    ["POST", "/-/health", 404, { error: "404 Not Found" }],
    ["GET", "/-/nope", 404, { error: "404 Not Found" }]
  ])("%s %s is %d", async (method, path, status, body) => {
    const answer = await service.request(method, path)
    expect([answer.status, answer.body]).toEqual([status, body])
  })

  it("health tells that the folder of data takes no files, as long as that is so", async () => {
    const { path } = await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(1))))
    const told = async () => (await get("/-/health/writes")).body
    const inTheWay = join(path.replace(/\/repositories\/.*$/, ""), ".writable")
    await mkdir(inTheWay)
    await until(async () => field(await told(), "writes") === "failing")
    expect(await told()).toEqual({ status: "degraded", writes: "failing", reason: "DATA_DIR refused with EISDIR" })
    await rmdir(inTheWay)
    await until(async () => field(await told(), "writes") === "ok")
  })

  it("health tells that changes cannot be stored, as long as that is so", async () => {
    const answers = () => Promise.all([get("/-/health"), get("/-/health/writes")])
    const told = async () => (await answers()).map(({ body, status }) => [status, body])
    const well = { status: "ok", writes: "ok" }
    expect(await told()).toEqual([
      [200, well],
      [200, well]
    ])
    const url = await service.run(Effect.map(Sql, (sql) => sql.url))
    const name = new URL(url).pathname.slice(1)
    const setReadOnly = async (value: "on" | "off") => {
      const change = `alter database "${name}" set default_transaction_read_only = ${value}`
      await Effect.runPromise(ask(url, `begin read write; ${change}; commit`))
      const others = "pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
      await Effect.runPromise(ask(url, `select pg_terminate_backend(pid) from ${others}`))
    }
    await setReadOnly("on")
    const failing = { status: "degraded", writes: "failing", reason: "refused with 25006" }
    await expect.poll(told).toEqual([
      [200, failing],
      [503, failing]
    ])
    await setReadOnly("off")
    await expect.poll(told).toEqual([
      [200, well],
      [200, well]
    ])
  })

  it("readiness looks at database, log and read models", async () => {
    const ok = { status: "ok", millis: expect.any(Number) }
    const { body, status } = await get("/-/readiness")
    expect([status, body]).toEqual([200, { status: "ok", checks: { database: ok, event_store: ok, projections: ok } }])
  })

  it("readiness tells that changes would wait, as long as they would", async () => {
    const release = await holdUsers(service)
    const written = service.request("PUT", "/users/1", { json: { note: "held" } })
    await until(async () => (await get("/-/readiness")).status === 503)
    const { body } = await get("/-/readiness")
    expect(body).toMatchObject({
      status: "unavailable",
      checks: { projections: { status: "failed", reason: "changes wait: the read models do not advance" } }
    })
    await release()
    expect((await written).status).toBe(200)
    expect((await get("/-/readiness")).status).toBe(200)
  })

  it("metrics are made once for all who ask at the same time, and so is each check of readiness", async () => {
    const bodies = async (path: string) =>
      (await Promise.all(Array.from({ length: 20 }, () => get(path)))).map(({ body }) => body)
    const found = await bodies("/-/readiness")
    const checks = ["database", "event_store", "projections"].map((name) =>
      found.map((body) => field(field(body, "checks"), name))
    )
    // Each tells something that takes or counts time.
    const made = [await bodies("/-/metrics"), ...checks].map((all) => new Set(all.map((each) => JSON.stringify(each))).size)
    expect(Math.max(...made)).toBeLessThan(4)
  })

  it("metrics count requests by route, also those of no route, and never by path", async () => {
    await service.request("GET", "/version", { query: { private_token: "a-secret" } })
    await service.request("GET", "/no-such-path")
    const { body } = await get("/-/metrics")
    const samples = parsePrometheusText(String(body))
    expect(samples['chronoforge_http_requests_total{method="GET",route="metadata.version",status="401"}']).toBeGreaterThan(0)
    expect(samples['chronoforge_http_requests_total{method="GET",route="unknown",status="404"}']).toBeGreaterThan(0)
    expect(String(body)).not.toMatch(/no-such-path|a-secret/)
  })
})

describe("the OpenAPI document of all endpoints", () => {
  it("is valid and has each endpoint once", async () => {
    const { body } = await get("/-/openapi.json")
    expect(await new Validator().validate(structuredClone(objectOf(body)))).toMatchObject({ valid: true })
    const operations = Object.values(objectOf(objectOf(body).paths)).flatMap((path) =>
      Object.values(objectOf(path)).map((operation) => objectOf(operation).operationId)
    )
    expect(operations.filter((id) => id !== undefined).sort()).toEqual(routes.map(({ endpoint }) => endpoint.name).sort())
  })

  it("names the headers that all endpoints know", async () => {
    const { body } = await get("/-/openapi.json")
    const write = objectOf(objectOf(objectOf(objectOf(body).paths)["/users"]).post)
    const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
    expect(write.parameters).toEqual(
      expect.arrayContaining(["IdempotencyKey", "IfConsistentWith", "Sudo"].map((name) => reference("parameters", name)))
    )
    expect(objectOf(objectOf(objectOf(write.responses)["201"]).headers)["X-Chronoforge-Position"]).toEqual(
      reference("headers", "X-Chronoforge-Position")
    )
  })
})
