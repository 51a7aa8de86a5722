import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { describe } from "vitest"
import { AppConfig } from "#src/config.ts"
import type { LogTarget } from "#src/platform/logging/LogSink.ts"
import { logging, RequestLog } from "#src/platform/logging/logging.ts"
import type { LoggedRequest } from "#src/platform/logging/logLine.ts"
import { redactText, redactUrl } from "#src/platform/logging/redaction.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"

/** Remembers every write. */
const makeTarget = (isTTY: boolean) => {
  const writes: Array<string> = []
  const listeners: Array<(error: Error) => void> = []
  const target: LogTarget = {
    isTTY,
    write: (text) => writes.push(text),
    on: (_, listener) => listeners.push(listener)
  }
  return {
    target,
    writes,
    fail: (code: string) => listeners.map((listener) => listener(Object.assign(new Error(code), { code })))
  }
}

const withLog =
  (target: LogTarget, env: Record<string, string> = {}) =>
  <A, E>(effect: Effect.Effect<A, E, RequestLog>) =>
    Effect.provide(
      effect,
      logging(target).pipe(
        Layer.provide(AppConfig.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))),
        Layer.orDie
      )
    )

const request: LoggedRequest = {
  id: "01J",
  method: "GET",
  url: "/api/v4/admin/clusters?private_token=s3cret&page=2",
  route: "clusters.list",
  status: 200,
  durationMillis: 3.1449,
  caller: "user:1",
  onBehalfOf: "user:2"
}
const logAll = (...requests: ReadonlyArray<LoggedRequest>) =>
  RequestLog.use(({ logRequest }) => Effect.sync(() => requests.forEach(logRequest)))

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const linesOf = (writes: ReadonlyArray<string>) => writes.join("").trimEnd().split("\n")
const objectsOf = (writes: ReadonlyArray<string>): ReadonlyArray<unknown> => linesOf(writes).map((line) => JSON.parse(line))

describe("JSON lines", () => {
  it.effect("have stable keys for a request", () =>
    Effect.gen(function* () {
      const { target, writes } = makeTarget(false)
      const anonymous = {
        id: "02J",
        method: "POST",
        url: "/x",
        route: undefined,
        status: 500,
        durationMillis: 1,
        caller: undefined
      }
      yield* logAll(request, anonymous).pipe(withLog(target))
      expect(objectsOf(writes)).toEqual([
        {
          time,
          level: "info",
          message: "request",
          request_id: "01J",
          method: "GET",
          url: "/api/v4/admin/clusters?private_token=[REDACTED]&page=2",
          route: "clusters.list",
          status: 200,
          duration_ms: 3.14,
          caller: "user:1",
          on_behalf_of: "user:2"
        },
        {
          time,
          level: "error",
          message: "request",
          request_id: "02J",
          method: "POST",
          url: "/x",
          route: null,
          status: 500,
          duration_ms: 1,
          caller: null
        }
      ])
    })
  )

  it.effect("carry annotations and causes, without secrets", () =>
    Effect.gen(function* () {
      const { target, writes } = makeTarget(false)
      yield* Effect.logError("Lost", new Error("postgres://me:pw@db/x"), new Error("token=abc")).pipe(
        Effect.annotateLogs({ part: "projector" }),
        withLog(target)
      )
      expect(objectsOf(writes)).toEqual([
        {
          time: expect.any(String),
          level: "error",
          message: "Lost postgres://[REDACTED]@db/x token=[REDACTED]",
          part: "projector"
        }
      ])
    })
  )

  it.effect("contain the trace of a defect", () =>
    Effect.gen(function* () {
      const { target, writes } = makeTarget(false)
      const defect = Effect.die(new Error("no disk"))
      yield* Effect.catchCause(defect, (cause) => Effect.logError("Request failed", cause)).pipe(withLog(target))
      expect(objectsOf(writes)).toEqual([
        {
          time: expect.any(String),
          level: "error",
          message: "Request failed",
          cause: expect.stringContaining("Error: no disk\n    at ")
        }
      ])
    })
  )
})

describe("lines for people", () => {
  it.effect("name time, method, URL, status, duration, caller and id", () =>
    Effect.gen(function* () {
      const { target, writes } = makeTarget(false)
      yield* logAll(request).pipe(withLog(target, { LOG_FORMAT: "pretty" }))
      expect(writes.join("")).toMatch(
        /^\d\d:\d\d:\d\d\.\d{3} GET {4}\/api\/v4\/admin\/clusters\?private_token=\[REDACTED\]&page=2 200 3\.14ms user:1 \(user:2\) 01J\n$/
      )
    })
  )

  it.effect("have colours on a terminal, where no client can steer it", () =>
    Effect.gen(function* () {
      const { target, writes } = makeTarget(true)
      yield* logAll({ ...request, status: 404, url: "/\u001b[31m" }).pipe(withLog(target))
      expect(writes.join("")).toContain("\u001b[33m404\u001b[39m")
      expect(writes.join("")).toContain("/\u{fffd}[31m")
    })
  )
})

describe("the log", () => {
  it.effect("leaves out what is below LOG_LEVEL", () =>
    Effect.gen(function* () {
      const { target, writes } = makeTarget(false)
      const work = Effect.gen(function* () {
        yield* Effect.logDebug("debug")
        yield* Effect.logInfo("info")
        yield* Effect.logWarning("warning")
        yield* logAll(request, { ...request, id: "03J", status: 503 })
      })
      yield* work.pipe(withLog(target, { LOG_LEVEL: "warn" }))
      expect(objectsOf(writes)).toMatchObject([{ message: "warning" }, { request_id: "03J" }])
    })
  )

  it.live("writes the lines of one turn of the event loop at once", () =>
    Effect.gen(function* () {
      const { target, writes } = makeTarget(false)
      yield* Effect.gen(function* () {
        yield* logAll(request, request, request)
        expect(writes).toEqual([])
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        expect(writes.map((text) => text.trimEnd().split("\n").length)).toEqual([3])
        yield* logAll(request)
      }).pipe(withLog(target))
      expect(writes.map((text) => text.trimEnd().split("\n").length)).toEqual([3, 1])
    })
  )

  it.effect("goes on behind lines that a full disk did not take", () =>
    Effect.gen(function* () {
      const { target, writes, fail } = makeTarget(false)
      yield* Effect.sync(() => fail("ENOSPC")).pipe(Effect.andThen(logAll(request)), withLog(target))
      expect(writes).toHaveLength(1)
    })
  )

  it.effect("ends quietly when its reader is gone", () =>
    Effect.gen(function* () {
      const { target, writes, fail } = makeTarget(false)
      yield* Effect.sync(() => fail("EPIPE")).pipe(Effect.andThen(logAll(request)), withLog(target))
      expect(writes).toEqual([])
    })
  )

  it("is written to the end when the process ends", async () => {
    const script = `
      import { Effect, Scope } from "effect"
      import { makeLogSink } from "./src/platform/logging/LogSink.ts"
      const sink = await Effect.runPromise(Effect.provideService(makeLogSink(process.stdout), Scope.Scope, Scope.makeUnsafe()))
      for (let i = 1; i <= 5000; i++) sink.write("line " + i)
      process.exit(3)`
    const ended = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script])
    const { code, stdout } = await ended.then(
      () => ({ code: 0, stdout: "" }),
      (error: { readonly code: number; readonly stdout: string }) => error
    )
    expect([code, stdout.split("\n").length, stdout.endsWith("line 5000\n")]).toEqual([3, 5001, true])
  })

  it.effect("costs a request a few microseconds", () =>
    Effect.gen(function* () {
      const { target } = makeTarget(false)
      const micros = yield* RequestLog.use(({ logRequest }) =>
        Effect.sync(() => {
          const count = 20_000
          const start = cpuMillis()
          for (let i = 0; i < count; i++) logRequest(request)
          return ((cpuMillis() - start) * 1000) / count
        })
      ).pipe(withLog(target))
      expect(micros).toBeLessThan(20)
    })
  )
})

describe("redaction", () => {
  it.each([
    ["/a?private_token=x&b=1", "/a?private_token=[REDACTED]&b=1"],
    ["/a?private%5Ftoken=x", "/a?private%5Ftoken=[REDACTED]"],
    ["/a?ACCESS_TOKEN=x&job_token=y&token=z", "/a?ACCESS_TOKEN=[REDACTED]&job_token=[REDACTED]&token=[REDACTED]"],
    ["/a?password=x=y", "/a?password=[REDACTED]"],
    ["/a?platform_kubernetes_attributes%5Btoken%5D=x", "/a?platform_kubernetes_attributes%5Btoken%5D=[REDACTED]"],
    ["/a?variables[][value]=x", "/a?variables[][value]=[REDACTED]"],
    ["/a?%E0%A4%A=x", "/a?%E0%A4%A=[REDACTED]"],
    ["https://me:pw@host/a", "https://[REDACTED]@host/a"],
    ["/a?page=2&search=password", "/a?page=2&search=password"],
    ["/users/a@b", "/users/a@b"],
    ["/a?key=glpat-abcdefghij0123456789&b=1", "/a?key=[REDACTED]&b=1"],
    ["/a/glpat%2Dabcdefghij0123456789/b", "/a/[REDACTED]/b"]
  ])("of the URL %s", (url, expected) => {
    expect(redactUrl(url)).toBe(expected)
  })

  it.each([
    ["GET /a?private_token=abc failed", "GET /a?private_token=[REDACTED] failed"],
    ['{"private-token":"abc","x":1}', '{"private-token":"[REDACTED]","x":1}'],
    ["Authorization: Bearer a.b-c", "Authorization: Bearer [REDACTED]"],
    ["sent bearer abc", "sent bearer [REDACTED]"],
    ["expected value=3 for token_type=x", "expected value=3 for token_type=[REDACTED]"],
    ["no secret in here", "no secret in here"],
    ["a token is missing", "a token is missing"],
    ['{"name":"glpat-abcdefghij_-3456789"}', '{"name":"[REDACTED]"}']
  ])("of the text %s", (text, expected) => {
    expect(redactText(text)).toBe(expected)
  })

  it("of a long text takes linear time", () => {
    const start = cpuMillis()
    redactText("token".repeat(200_000))
    redactText("token=".repeat(200_000))
    redactText("bearer ".repeat(200_000))
    redactText("http://".repeat(200_000))
    redactText("authorization: ".repeat(100_000))
    expect(cpuMillis() - start).toBeLessThan(1000)
  })
})
