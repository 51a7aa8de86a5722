import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigProvider, Context, Effect, Layer, ManagedRuntime, References } from "effect"
import { afterAll, beforeAll } from "vitest"
import { bootstrap } from "#src/bootstrap.ts"
import { core, edge, eventStore, otherRequests, routes } from "#src/composition.ts"
import { AppConfig } from "#src/config.ts"
import { HttpServer, httpServer, service } from "#src/http/server/server.ts"
import { defined } from "#src/kernel/defined.ts"
import type { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { RequestLog } from "#src/platform/logging/logging.ts"
import type { LoggedRequest } from "#src/platform/logging/logLine.ts"
import { tracing } from "#src/platform/logging/tracing.ts"
import { connect } from "#src/platform/sql/connect.ts"
import { type Client, Sql } from "#src/platform/sql/Sql.ts"
import { version } from "#src/version.ts"
import { recordStatements } from "./recordStatements.ts"
import { serviceDatabase } from "./serviceDatabase.ts"

export const rootToken = "glpat-root-token-of-tests"

export interface Sent {
  /** Default, also for undefined: the token of root; null for none. */
  readonly token?: string | null | undefined
  readonly json?: unknown
  readonly form?: ReadonlyArray<readonly [string, string]> | Readonly<Record<string, string>>
  readonly multipart?: Readonly<Record<string, string | File>>
  /** A file, as it is. */
  readonly file?: Uint8Array<ArrayBuffer>
  readonly query?: ReadonlyArray<readonly [string, string]> | Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  /** Parsed when it is JSON, else the text; undefined when empty. */
  readonly body: unknown
}

/** What most tests compare of an answer. */
export const answerOf = ({ body, status }: Received) => [status, body]

/** The running service of a test file, on a socket and a database of its own. */
export interface TestService {
  /** `http://127.0.0.1:<port>`; what links begin with too, unless EXTERNAL_URL says otherwise. */
  readonly url: string
  /** `path` is below `/api/v4`, or begins with `/-/`. */
  readonly request: (method: string, path: string, sent?: Sent) => Promise<Received>
  /** Log lines so far. */
  readonly log: ReadonlyArray<LoggedRequest>
  /** Texts of SQL statements so far, but for those in transactions. */
  readonly statements: ReadonlyArray<string>
  /** Runs an effect with the services of the application. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof core>> | Sql>) => Promise<A>
}

class Started extends Context.Service<Started, { readonly url: string }>()("chronoforge/test/Started") {}

const started = Layer.effect(
  Started,
  Effect.gen(function* () {
    const config = yield* AppConfig
    const server = yield* HttpServer
    const url = server.url
    yield* bootstrap
    yield* Layer.build(
      service(routes, {
        nodeHandler: otherRequests,
        externalUrl: config.externalUrl ?? url,
        idleMillis: config.clientIdleTimeout * 1000,
        dataDir: config.dataDir,
        version
      })
    )
    return Started.of({ url })
  })
)

/** What stands between the service and its database. */
export interface Interceptors {
  readonly log: Layer.Layer<EventStore, never, EventStore>
  readonly client: (client: Client) => Client
  /** The lowest level that is logged, for tests that expect errors. */
  readonly logLevel?: "Fatal"
}

/** A database for each service: one file may start several. */
const database = (statements: Array<string>, interceptors?: Interceptors): Layer.Layer<Sql> =>
  Layer.effect(
    Sql,
    Effect.gen(function* () {
      const { client, lookups, tokenLookups, ...rest } = yield* Effect.orDie(connect(yield* serviceDatabase, 10))
      const noted = (each: Client) => recordStatements(interceptors?.client(each) ?? each, statements)
      return Sql.of({ client: noted(client), lookups: noted(lookups), tokenLookups: noted(tokenLookups), ...rest })
    })
  )

const listening = Layer.unwrap(
  Effect.map(AppConfig, ({ clientIdleTimeout, maxConnections = 1_000 }) =>
    httpServer("127.0.0.1", 0, { idleMillis: clientIdleTimeout * 1000, maxConnections })
  )
)

interface Records {
  readonly log: Array<LoggedRequest>
  readonly statements: Array<string>
}

const application = (env: Readonly<Record<string, string>>, { log, statements }: Records, interceptors?: Interceptors) =>
  started.pipe(
    Layer.provideMerge(edge),
    Layer.provideMerge(core("own", interceptors && Layer.provide(interceptors.log, eventStore))),
    Layer.provideMerge(database(statements, interceptors)),
    Layer.provide(listening),
    Layer.provide(tracing(version)),
    Layer.provideMerge(Layer.succeed(RequestLog)({ logRequest: (line) => log.push(line) })),
    Layer.provideMerge(AppConfig.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { ROOT_TOKEN: rootToken, ...env } }))),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, interceptors?.logLevel ?? "Error"))
  )

const bodyOf = ({
  file,
  form,
  json,
  multipart
}: Sent): {
  readonly body?: string | URLSearchParams | FormData | Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
} => {
  if (file !== undefined) return { body: file, headers: { "content-type": "application/octet-stream" } }
  if (json !== undefined) return { body: JSON.stringify(json), headers: { "content-type": "application/json" } }
  if (form !== undefined) return { body: new URLSearchParams(pairs(form)), headers: {} }
  if (multipart === undefined) return { headers: {} }
  const data = new FormData()
  for (const [name, value] of Object.entries(multipart)) data.append(name, value)
  return { body: data, headers: {} }
}

const pairs = (given: NonNullable<Sent["query"]>): Array<[string, string]> =>
  Symbol.iterator in given ? [...given].map(([name, value]) => [name, value]) : Object.entries(given)

const parsed = (text: string, type: string | null): unknown => {
  if (text === "") return undefined
  return type?.startsWith("application/json") === true ? JSON.parse(text) : text
}

export const send = async (url: string, method: string, path: string, sent: Sent = {}): Promise<Received> => {
  const query = sent.query === undefined ? "" : `?${new URLSearchParams(pairs(sent.query))}`
  const { body, headers } = bodyOf(sent)
  const token = sent.token === undefined ? rootToken : sent.token
  const response = await fetch(`${url}${path.startsWith("/-/") ? "" : "/api/v4"}${path}${query}`, {
    method,
    headers: { ...headers, ...defined({ "private-token": token ?? undefined }), ...sent.headers },
    redirect: "manual",
    ...defined({ body })
  })
  return {
    status: response.status,
    headers: response.headers,
    body: parsed(await response.text(), response.headers.get("content-type"))
  }
}

type Settings = Readonly<Record<string, string>>

/** Starts the service before the tests of the calling file or block and stops it after them. `env`: settings. */
export const useService = (env: Settings | (() => Promise<Settings>) = {}, interceptors?: Interceptors): TestService => {
  const log: Array<LoggedRequest> = []
  const statements: Array<string> = []
  let folder = ""
  let url = ""
  let runtime: ManagedRuntime.ManagedRuntime<Layer.Success<ReturnType<typeof application>>, unknown> | undefined
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "chronoforge-service-"))
    const settings = { DATA_DIR: folder, ...(typeof env === "function" ? await env() : env) }
    runtime = ManagedRuntime.make(application(settings, { log, statements }, interceptors))
    url = await runtime.runPromise(Started.use((it) => Effect.succeed(it.url)))
  })
  afterAll(async () => {
    await runtime?.dispose()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    get url() {
      return url
    },
    log,
    statements,
    request: (method, path, sent) => send(url, method, path, sent),
    run: (effect) =>
      runtime === undefined ? Promise.reject(new Error("the service is not started")) : runtime.runPromise(effect)
  }
}
