import { Console, Context, Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { AppConfig, redacted, variables } from "../config.ts"
import type { StartError } from "../kernel/StartError.ts"
import type { EventStore } from "../platform/eventStore/EventStore.ts"
import type { Sql } from "../platform/sql/Sql.ts"
import { checkBackgroundWork } from "./checks/backgroundWork.ts"
import { checkClock, checkDatabase, checkMigrations } from "./checks/database.ts"
import { checkDataDir, hasEmbeddedCluster } from "./checks/dataDir.ts"
import { checkEventStore } from "./checks/eventStore.ts"
import { checked, type Finding, fail, warn } from "./checks/Finding.ts"
import { checkGit } from "./checks/git.ts"
import { checkProcesses } from "./checks/processes.ts"
import { checkReadModels, type KnownReadModel } from "./checks/readModels.ts"
import { checkRepositories } from "./checks/repositories.ts"
import { checkSecretKey } from "./checks/secretKey.ts"
import { checkSettings } from "./checks/settings.ts"
import { checkTextSearch } from "./checks/textSearch.ts"
import { CheckFailed } from "./exit.ts"
import { withHelp } from "./help.ts"
import { table } from "./table.ts"

/** What the doctor needs to look at a service that may be unable to start. */
export interface Parts {
  /** The database, attached to and not migrated. */
  readonly sql: Layer.Layer<Sql, StartError, AppConfig>
  readonly eventStore: Layer.Layer<EventStore, unknown, Sql | AppConfig>
  readonly readModels: ReadonlyArray<KnownReadModel>
}

const withEventStore = ({ eventStore, readModels }: Parts) =>
  checked(
    "event store",
    "see EVENTSTORE_URL, and the log of the server",
    Effect.scoped(
      Effect.gen(function* () {
        const context = yield* Layer.build(eventStore)
        const findings = yield* Effect.all([
          checkEventStore,
          checkReadModels(readModels),
          checkRepositories,
          checkBackgroundWork
        ]).pipe(Effect.provideContext(context))
        return findings.flat()
      })
    )
  )

const withDatabase = (parts: Parts) =>
  Effect.gen(function* () {
    const database = yield* checkDatabase
    const { complete, finding } = yield* checkMigrations
    if (!complete) return [...database, finding]
    const rest = yield* Effect.all([withEventStore(parts), checkTextSearch, checkSecretKey, checkClock])
    return [...database, finding, ...rest.flat()]
  })

const databaseFindings = (parts: Parts) =>
  Effect.gen(function* () {
    const { databaseUrl } = yield* AppConfig
    if ((redacted(databaseUrl) ?? "") === "" && !(yield* hasEmbeddedCluster)) {
      return [warn("database", "the embedded Postgres is not made yet", "start the service: npm start")]
    }
    return yield* checked(
      "database",
      "start the server, or correct DATABASE_URL",
      Effect.scoped(Effect.flatMap(Layer.build(parts.sql), (context) => Effect.provideContext(withDatabase(parts), context)))
    )
  })

const examine = (parts: Parts, env: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const { config, findings } = yield* checkSettings(env)
    if (config === undefined) return [...findings, fail("all else", "cannot be checked", "correct the settings")]
    const others = yield* Effect.all([checkDataDir, checkGit, checkProcesses, databaseFindings(parts)]).pipe(
      Effect.provideService(AppConfig, Context.get(config, AppConfig))
    )
    return [...findings, ...others.flat()]
  })

const lines = (findings: ReadonlyArray<Finding>): string =>
  table(
    findings.map(({ detail, name, remedy, status }) => [
      status.padEnd(4),
      name,
      remedy === undefined ? detail : `${detail}: ${remedy}`
    ])
  )

/** Checks everything that the service needs, whether it runs or not. */
export const doctor = (parts: Parts) =>
  Command.make(
    "doctor",
    { json: Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object a line"), Flag.withDefault(false)) },
    Effect.fn("cli.doctor")(function* ({ json }) {
      const findings = yield* examine(parts, variables())
      yield* Console.log(json ? findings.map((finding) => JSON.stringify(finding)).join("\n") : lines(findings))
      if (findings.some(({ status }) => status === "fail")) return yield* new CheckFailed()
    })
  ).pipe(
    withHelp({
      brief: "Check settings, disk, database, event store, keys, git and read models",
      text:
        "Checks what the service needs, one line each: ok, warn or fail, and what to do. Works with the service running or stopped, " +
        "and changes nothing. Exits with 1 if anything fails.",
      examples: [
        { command: "npx chronoforge doctor", description: "All checks" },
        {
          command: "DATABASE_URL=postgres://db.example.com/chronoforge npx chronoforge doctor",
          description: "Before moving to another database"
        }
      ]
    })
  )
