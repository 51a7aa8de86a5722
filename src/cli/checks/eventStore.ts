import { Effect, Schema } from "effect"
import { AppConfig, redacted } from "../../config.ts"
import { defined } from "../../kernel/defined.ts"
import { EventStore } from "../../platform/eventStore/EventStore.ts"
import { checked, type Finding, ok, warn } from "./Finding.ts"

const name = "event store"

/** The server refuses to start with a higher limit: 16 MiB less what it keeps for itself. */
const maxAppendLimit = 16_767_216
const remedy = `set MaxAppendSize to ${maxAppendLimit} (KURRENTDB_MAX_APPEND_SIZE, or EVENTSTORE_MAX_APPEND_SIZE before version 25)`

const Options = Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.NullOr(Schema.String) }))
const decodeOptions = Schema.decodeUnknownEffect(Options)
/** KurrentDB and EventStoreDB name their versions differently. */
const Info = Schema.Struct({ dbVersion: Schema.optionalKey(Schema.String), esVersion: Schema.optionalKey(Schema.String) })
const decodeInfo = Schema.decodeUnknownEffect(Info)

interface Server {
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
}

/** The server's HTTP side; of a cluster, the first node. Undefined for an address that is found by DNS alone. */
const serverOf = (url: string): Server | undefined => {
  const [, scheme = "", userInfo, hosts = "", query = ""] = /^([^:]+):\/\/(?:([^@/]*)@)?([^/?]+)\/?(?:\?(.*))?$/.exec(url) ?? []
  if (hosts === "" || scheme.includes("+discover")) return undefined
  const secure = new URLSearchParams(query.toLowerCase()).get("tls") !== "false"
  const [host = ""] = hosts.split(",")
  const authorization =
    userInfo === undefined ? undefined : `Basic ${Buffer.from(decodeURIComponent(userInfo)).toString("base64")}`
  return { base: `${secure ? "https" : "http"}://${host}`, headers: defined({ authorization }) }
}

const get = ({ base, headers }: Server, path: string) =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(`${base}${path}`, { headers: { ...headers, accept: "application/json" }, signal })
      const body: unknown = response.ok ? await response.json() : undefined
      return body
    },
    catch: () => undefined
  })

const versionOf = (server: Server) =>
  get(server, "/info").pipe(
    Effect.flatMap(decodeInfo),
    Effect.map(({ dbVersion, esVersion }) => `version ${dbVersion ?? esVersion ?? "unknown"}`),
    Effect.orElseSucceed(() => "version unknown")
  )

const limitOf = (server: Server) =>
  get(server, "/info/options").pipe(
    Effect.flatMap(decodeOptions),
    Effect.map((options) => Number(options.find((option) => option.name.toLowerCase() === "maxappendsize")?.value ?? Number.NaN)),
    Effect.map((limit) => (Number.isFinite(limit) ? limit : undefined)),
    Effect.orElseSucceed(() => undefined)
  )

const limitFinding = (limit: number | undefined): Finding => {
  if (limit === undefined) return warn(name, "does not tell its append limit, which is 1 MiB unless set", remedy)
  const detail = `takes appends of ${limit} bytes`
  return limit < maxAppendLimit ? warn(name, `${detail}; a long description needs up to 16 MiB`, remedy) : ok(name, detail)
}

const describeServer = (url: string) =>
  Effect.gen(function* () {
    const server = serverOf(url)
    if (server === undefined) return { version: "version not asked", findings: [limitFinding(undefined)] }
    return { version: yield* versionOf(server), findings: [limitFinding(yield* limitOf(server))] }
  })

/** Whether the log answers, and whether it takes appends that are large enough. */
export const checkEventStore = checked(
  name,
  "see the log of the server, and EVENTSTORE_URL",
  Effect.gen(function* () {
    const { eventStoreUrl } = yield* AppConfig
    const url = redacted(eventStoreUrl) ?? ""
    const head = yield* EventStore.use((store) => store.head)
    if (url === "") return [ok(name, `Postgres, ends at position ${head}, no append limit`)]
    const { findings, version } = yield* describeServer(url)
    return [ok(name, `EventStoreDB, ${version}, ends at position ${head}`), ...findings]
  })
)
