import { isAbsolute, resolve } from "node:path"
import { Config, Context, Effect, Layer, Option, Redacted, Result, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { parseAddressRanges } from "./kernel/clientAddress.ts"
import { StartError } from "./kernel/StartError.ts"
import { defaultProcessMemory, defaultWorkLimits, parseWorkLimits, type WorkLimits } from "./kernel/workLimits.ts"

const optional = <A>(config: Config.Config<A>): Config.Config<A | undefined> =>
  config.pipe(Config.option, Config.map(Option.getOrUndefined))

const HttpUrl = Schema.String.check(
  Schema.makeFilter((text: string) => (URL.canParse(text) && /^https?:/.test(text) ? undefined : "Expected an http or https URL"))
)
/** Plain digits: what else JavaScript takes for a number (`1e3`, `0x10`, white space) is more likely a slip. */
const Count = Schema.String.check(Schema.isPattern(/^\d{1,15}$/, { message: "Expected a whole number in plain digits" })).pipe(
  Schema.decodeTo(Schema.Number, SchemaTransformation.numberFromString)
)
const maxPort = 65_535
const Port = Count.check(Schema.isLessThanOrEqualTo(maxPort))
/** Paths are appended to it, and it is told to everybody. */
const Base = HttpUrl.check(
  Schema.makeFilter((text: string) =>
    /[?#]|^https?:\/\/[^/]*@/i.test(text) ? "Expected a URL without query, fragment, name or password" : undefined
  )
)
const Host = Schema.String.check(
  Schema.makeFilter((text: string) =>
    /^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i.test(text) && Number(/:(\d+)$/.exec(text)?.[1] ?? 0) <= maxPort
      ? undefined
      : "Expected a host such as pages.example.com, with or without port"
  )
)
const Origin = Config.schema(Base, "EXTERNAL_URL").pipe(Config.map((url) => url.replace(/\/+$/, "")))

/** The message does not repeat the entry, which may be a secret in the wrong place. */
const AddressRanges = Schema.String.check(
  Schema.makeFilter((text: string) =>
    Result.match(parseAddressRanges(text), {
      onSuccess: () => undefined,
      onFailure: (entry) =>
        `Expected addresses, ranges such as 10.0.0.0/8 or fd00::/8, loopback or private, separated by commas; entry ${entry} is none of these`
    })
  )
)

/** A secret with this many characters at least, which the message of a shorter one does not repeat. */
const secretOf = (minLength: number, name: string) =>
  Config.schema(
    Schema.RedactedFromValue(
      Schema.String.check(Schema.isMinLength(minLength, { message: `Expected at least ${minLength} characters` }))
    ),
    name
  )

const workLimits = (name: string, defaults: WorkLimits) =>
  Config.schema(
    Schema.String.check(
      Schema.makeFilter((text: string) =>
        parseWorkLimits(text) === undefined
          ? "Expected words such as places=4 memory=512 cpu=60 wall=60, whole numbers from 1"
          : undefined
      )
    ),
    name
  ).pipe(
    Config.withDefault(""),
    Config.map((text): WorkLimits => ({ ...defaults, ...parseWorkLimits(text) }))
  )

/** What is off until it is named, as in the reference service. */
const knownFlags = ["mr_approved_filter", "restrict_merge_status_recheck"] as const

const namesIn = (list: string): ReadonlyArray<string> => list.split(",").flatMap((name) => name.trim() || [])

const FeatureFlags = Schema.String.check(
  Schema.makeFilter((list: string) =>
    namesIn(list).every((name) => knownFlags.some((known) => known === name))
      ? undefined
      : `Expected some of ${knownFlags.join(", ")}, separated by commas`
  )
)

/** A shorter key would be guessed from a copy of the database. */
const minSecretKeyLength = 16

/** Every setting of the service: name, default, unit. All are optional. A bad value stops the start. */
const settings = {
  /** Address to listen on. */
  host: Config.String("HOST").pipe(Config.withDefault("127.0.0.1")),
  /** With 0, a free port is taken. */
  port: Config.schema(Port, "PORT").pipe(Config.withDefault(8080)),
  /** Links in answers begin with it; the default is `http://<host>:<port>`. */
  externalUrl: optional(Origin),
  /** Folder of the embedded Postgres, keys, tokens and repositories. */
  dataDir: Config.String("DATA_DIR").pipe(
    Config.withDefault("./data"),
    Config.map((path) => (isAbsolute(path) ? path : resolve(path)))
  ),
  /** The URL `postgres://…`; without it, an embedded Postgres runs in `dataDir`. */
  databaseUrl: optional(Config.Redacted("DATABASE_URL")),
  /** The URL `esdb://…` or `kurrentdb://…`; without it, the log lies in Postgres. */
  eventStoreUrl: optional(Config.Redacted("EVENTSTORE_URL")),
  /** Token of the administrator `root`; unset: generated once into `dataDir`/root-token. */
  rootToken: optional(Config.Redacted("ROOT_TOKEN")),
  /** Wraps the keys of secrets at rest, at least 16 characters; unset: generated once into `dataDir`/secret-key. */
  secretKey: optional(secretOf(minSecretKeyLength, "SECRET_KEY")),
  logFormat: Config.Literals(["auto", "pretty", "json"], "LOG_FORMAT").pipe(Config.withDefault("auto")),
  logLevel: Config.Literals(["debug", "info", "warn", "error"], "LOG_LEVEL").pipe(Config.withDefault("info")),
  /** Collector of traces, such as `http://127.0.0.1:4318`; unset: none are sent. */
  otlpEndpoint: optional(Config.schema(HttpUrl, "OTEL_EXPORTER_OTLP_ENDPOINT")),
  /** Requests per minute and address without a token, per minute and user with one; 0: no limit. */
  rateLimitUnauthenticated: Config.schema(Count, "RATE_LIMIT_UNAUTHENTICATED").pipe(Config.withDefault(0)),
  rateLimitAuthenticated: Config.schema(Count, "RATE_LIMIT_AUTHENTICATED").pipe(Config.withDefault(0)),
  /** The proxies of which `X-Forwarded-For` is believed; unset: none. */
  trustedProxies: optional(
    Config.schema(AddressRanges, "TRUSTED_PROXIES").pipe(Config.map((text) => Result.getOrThrow(parseAddressRanges(text))))
  ),
  /** After so many wrong passwords in a row an account is locked for those who never signed in from the same address; 0: never. */
  maxLoginAttempts: Config.schema(Count, "MAX_LOGIN_ATTEMPTS").pipe(Config.withDefault(10)),
  failedLoginAttemptsUnlockPeriodInMinutes: Config.schema(
    Count.check(Schema.isGreaterThanOrEqualTo(1)),
    "FAILED_LOGIN_ATTEMPTS_UNLOCK_PERIOD_IN_MINUTES"
  ).pipe(Config.withDefault(10)),
  /** Archives per minute, user and project; all without a token together have twenty times that. 0: no limit. */
  archiveRateLimit: Config.schema(Count, "ARCHIVE_RATE_LIMIT").pipe(Config.withDefault(0)),
  /** The number of seconds after which an executor that is not heard of counts as gone. */
  jobLease: Config.schema(Count.check(Schema.isGreaterThanOrEqualTo(1)), "JOB_LEASE").pipe(Config.withDefault(60)),
  /** Whether projects may publish sites. */
  pagesEnabled: Config.Boolean("PAGES_ENABLED").pipe(Config.withDefault(true)),
  /** The host, with or without port, whose subdomains are sites; unset: they are shown below a path of the service. */
  pagesDomain: optional(Config.schema(Host, "PAGES_DOMAIN").pipe(Config.map((host) => host.toLowerCase()))),
  /** MiB of the archive of a site, and of all its files together. */
  pagesMaxSize: Config.schema(Count.check(Schema.isGreaterThanOrEqualTo(1)), "PAGES_MAX_SIZE").pipe(Config.withDefault(100)),
  /** The highest number of files of a site. */
  pagesMaxFiles: Config.schema(Count.check(Schema.isGreaterThanOrEqualTo(1)), "PAGES_MAX_FILES").pipe(
    Config.withDefault(200_000)
  ),
  /** MiB of a file that is uploaded to a project. */
  maxAttachmentSize: Config.schema(Count.check(Schema.isGreaterThanOrEqualTo(1)), "MAX_ATTACHMENT_SIZE").pipe(
    Config.withDefault(100)
  ),
  /** The number of hours after which an exported project is not kept any longer; 0: it is kept until the next export. */
  exportLifetime: Config.schema(Count, "EXPORT_LIFETIME").pipe(Config.withDefault(72)),
  /** How many jobs and statuses a pipeline may have, with those that others have replaced; 0: no limit. */
  jobsPerPipeline: Config.schema(Count, "JOBS_PER_PIPELINE").pipe(Config.withDefault(10_000)),
  /** Changelogs per minute, user and project; 0: no limit. */
  changelogRateLimit: Config.schema(Count, "CHANGELOG_RATE_LIMIT").pipe(Config.withDefault(0)),
  /** Whether a request may let a repository be imported. The command line may in any case. */
  importEnabled: Config.Boolean("IMPORT_ENABLED").pipe(Config.withDefault(true)),
  /** Whether repositories may be imported from servers on private, loopback and link-local addresses. */
  importAllowPrivate: Config.Boolean("IMPORT_ALLOW_PRIVATE").pipe(Config.withDefault(false)),
  /** The number of seconds that one import may take. */
  importTimeLimit: Config.schema(Count.check(Schema.isGreaterThanOrEqualTo(1)), "IMPORT_TIME_LIMIT").pipe(
    Config.withDefault(10_800)
  ),
  /** MiB that an imported repository may take; 0: no limit. */
  importSizeLimit: Config.schema(Count, "IMPORT_SIZE_LIMIT").pipe(Config.withDefault(10_240)),
  /** The highest number of paths that a tree may have, with everything below it, when it is pushed or imported. */
  maxTreePaths: Config.schema(Count.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 })), "MAX_TREE_PATHS").pipe(
    Config.withDefault(5_000_000)
  ),
  /** The highest number of names in such a path. */
  maxTreeDepth: Config.schema(Count.check(Schema.isBetween({ minimum: 1, maximum: 4096 })), "MAX_TREE_DEPTH").pipe(
    Config.withDefault(256)
  ),
  /** The highest number of MiB that all objects of a push or import have together when they are worked out. */
  maxInflatedSize: Config.schema(Count.check(Schema.isGreaterThanOrEqualTo(1)), "MAX_INFLATED_SIZE").pipe(
    Config.withDefault(256 * 1024)
  ),
  /** How default branches are protected in personal namespaces, and in groups that say nothing of it: 0 to 4. */
  defaultBranchProtection: Config.schema(Count.check(Schema.isLessThanOrEqualTo(4)), "DEFAULT_BRANCH_PROTECTION").pipe(
    Config.withDefault(2)
  ),
  /** Seconds after which a client that sends nothing of what it announced, or takes nothing of its answer, is let go. */
  clientIdleTimeout: Config.schema(Count.check(Schema.isBetween({ minimum: 1, maximum: 86_400 })), "CLIENT_IDLE_TIMEOUT").pipe(
    Config.withDefault(30)
  ),
  /** Seconds for which a service that is told to stop goes on, not ready any more, so that proxies send their requests elsewhere first. */
  shutdownDelay: Config.schema(Count.check(Schema.isLessThanOrEqualTo(600)), "SHUTDOWN_DELAY").pipe(Config.withDefault(0)),
  /** How many connections may be open at once; absent where it follows the descriptors that the process may have. */
  maxConnections: optional(Config.schema(Count.check(Schema.isGreaterThanOrEqualTo(1)), "MAX_CONNECTIONS")),
  /** How many requests without a token are answered at once; absent where it follows the processors. */
  anonymousRequests: optional(Config.schema(Count.check(Schema.isGreaterThanOrEqualTo(1)), "ANONYMOUS_REQUESTS")),
  /** How many reads of each user are answered at once, and eight times as many writes; absent where it follows the processors. */
  userRequests: optional(Config.schema(Count.check(Schema.isGreaterThanOrEqualTo(1)), "USER_REQUESTS")),
  /** What becomes of runs of pipeline schedules that nobody started in time. */
  scheduleMissed: Config.schema(Schema.Literals(["run_latest", "skip", "run_all"]), "SCHEDULE_MISSED").pipe(
    Config.withDefault("run_latest" as const)
  ),
  /** How many pipeline schedules a project may have; 0: no limit. */
  schedulesPerProject: Config.schema(Count, "SCHEDULES_PER_PROJECT").pipe(Config.withDefault(10)),
  /** The least number of seconds between two runs of a pipeline schedule. */
  scheduleMinInterval: Config.schema(Count.check(Schema.isGreaterThanOrEqualTo(1)), "SCHEDULE_MIN_INTERVAL").pipe(
    Config.withDefault(60)
  ),
  /** What work of each class may use, by how dear it is and who waits for it. */
  interactiveLimits: workLimits("INTERACTIVE_LIMITS", defaultWorkLimits.interactive),
  transferLimits: workLimits("TRANSFER_LIMITS", defaultWorkLimits.transfer),
  bulkLimits: workLimits("BULK_LIMITS", defaultWorkLimits.bulk),
  backgroundLimits: workLimits("BACKGROUND_LIMITS", defaultWorkLimits.background),
  /** MiB of memory that all processes of all work may use together. */
  processMemory: Config.schema(Count.check(Schema.isGreaterThanOrEqualTo(64)), "PROCESS_MEMORY").pipe(
    Config.withDefault(defaultProcessMemory)
  ),
  /** MiB on the disk for packs that are given to several who fetch the same; 0: each is made for itself. */
  packCacheSize: Config.schema(Count, "PACK_CACHE_SIZE").pipe(Config.withDefault(2048)),
  /** What is on that is off by default; unset: nothing. */
  featureFlags: optional(
    Config.schema(FeatureFlags, "FEATURE_FLAGS").pipe(Config.map((list): ReadonlySet<string> => new Set(namesIn(list))))
  ),
  /** The number of connections that one process makes to Postgres. */
  databasePoolSize: Config.schema(Count.check(Schema.isBetween({ minimum: 2, maximum: 1000 })), "DATABASE_POOL_SIZE").pipe(
    Config.withDefault(10)
  )
}

export type Settings = { readonly [K in keyof typeof settings]: Config.Success<(typeof settings)[K]> }

/** The environment. An empty variable counts as unset, which is what compose files make of an absent one. */
export const variables = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value] as const]))
  )

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Makes lines such as `PORT: Expected a whole number in plain digits`, without the value, which may be a secret. */
const faultsOf = ({ cause }: Config.ConfigError): ReadonlyArray<string> =>
  cause._tag === "SchemaError"
    ? format(cause.issue).issues.map(({ message, path = [] }) => `${path.join(".")}: ${message}`)
    : [cause.message]

const read = Effect.gen(function* () {
  const results = yield* Effect.all(settings, { mode: "result" })
  const faults = Object.values<Result.Result<unknown, Config.ConfigError>>(results).flatMap((result) =>
    Result.isFailure(result) ? faultsOf(result.failure) : []
  )
  if (faults.length > 0) return yield* new StartError({ message: faults.join("\n") })
  return yield* Effect.orDie(Effect.all(settings))
})

/** The settings, read once at start. */
export class AppConfig extends Context.Service<AppConfig, Settings>()("chronoforge/AppConfig") {
  /** Fails with one line for each bad setting. */
  static readonly layer: Layer.Layer<AppConfig, StartError> = Layer.effect(AppConfig, read)
}

export const redacted = (value: Redacted.Redacted<string> | undefined): string | undefined =>
  value === undefined ? undefined : Redacted.value(value)
