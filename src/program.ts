import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { administrator } from "./cli/administrator.ts"
import { doctor } from "./cli/doctor.ts"
import { exitCodes, explainStart, teardown } from "./cli/exit.ts"
import { withHelp } from "./cli/help.ts"
import { history } from "./cli/history/history.ts"
import { importRepository } from "./cli/import.ts"
import { rebuild } from "./cli/rebuild.ts"
import { reconcile } from "./cli/reconcile.ts"
import { importRelations } from "./cli/relations/importRelations.ts"
import { serve } from "./cli/serve.ts"
import { token } from "./cli/token.ts"
import { usagePresenter } from "./cli/usage.ts"
import { verify } from "./cli/verify.ts"
import { core, edge, eventStore, otherRequests, queries, readModels, routes } from "./composition.ts"
import { AppConfig, variables } from "./config.ts"
import { makeDataDir, requireInstallation } from "./platform/dataDir.ts"
import { logging } from "./platform/logging/logging.ts"
import { tracing } from "./platform/logging/tracing.ts"
import { existingSqlLayer, migratedSqlLayer, sqlLayer } from "./platform/sql/connect.ts"
import { version } from "./version.ts"

const environment = ConfigProvider.layer(ConfigProvider.fromEnv({ env: variables() }))
const settings = AppConfig.layer.pipe(Layer.provide(environment))
/** The settings of what writes into `DATA_DIR`, which is made before all else. */
const writingSettings = Layer.tap(settings, (context) => Effect.provideContext(makeDataDir, context))
/** The settings of what looks at what is there, which it never makes. */
const settingsOfExisting = Layer.tap(settings, (context) => Effect.provideContext(requireInstallation, context))

/** What the service runs on. */
const service = edge.pipe(
  Layer.provideMerge(core("own")),
  Layer.provideMerge(migratedSqlLayer("own")),
  Layer.provideMerge(Layer.mergeAll(logging(), tracing(version))),
  Layer.provideMerge(writingSettings)
)

/** What commands run on: beside a running service, or alone. Their answer goes to standard output, their log to the other. */
const commandPlatform = Layer.mergeAll(logging(process.stderr), tracing(version))
const commandQueries = Layer.merge(eventStore, queries).pipe(
  Layer.provideMerge(existingSqlLayer("attach")),
  Layer.provideMerge(commandPlatform),
  Layer.provideMerge(settingsOfExisting)
)
const commandServices = core("attach").pipe(
  Layer.provideMerge(migratedSqlLayer("attach")),
  Layer.provideMerge(commandPlatform),
  Layer.provideMerge(writingSettings)
)
const servicesOfExisting = core("attach").pipe(
  Layer.provideMerge(existingSqlLayer("attach")),
  Layer.provideMerge(commandPlatform),
  Layer.provideMerge(settingsOfExisting)
)

const serveCommand = Command.make("serve", {}, () => serve(routes, otherRequests)).pipe(
  withHelp({
    brief: "Run the service until it is told to stop",
    text: "Serves the API, brings the database up to date first, and projects the log if no other process does. Settings are environment variables.",
    examples: [
      { command: "npx chronoforge serve", description: "At http://127.0.0.1:8080, with a Postgres of its own in ./data" },
      {
        command: "EXTERNAL_URL=https://forge.example.com TRUSTED_PROXIES=loopback npx chronoforge serve",
        description: "Behind a proxy"
      }
    ]
  }),
  Command.provide(service)
)

const chronoforge = Command.make("chronoforge").pipe(
  withHelp({
    brief: "A repository-hosting service that remembers",
    text: "A repository-hosting service that remembers. Settings are environment variables; chronoforge doctor checks them.",
    examples: [
      { command: "npx chronoforge serve", description: "Run the service" },
      { command: "npx chronoforge history --help", description: "What one command does, with examples" }
    ]
  }),
  Command.withSubcommands([
    serveCommand,
    rebuild.pipe(Command.provide(servicesOfExisting)),
    reconcile.pipe(Command.provide(servicesOfExisting)),
    verify.pipe(Command.provide(commandQueries)),
    history.pipe(Command.provide(commandQueries)),
    token.pipe(Command.provide(servicesOfExisting)),
    administrator.pipe(Command.provide(servicesOfExisting)),
    importRepository.pipe(Command.provide(commandServices)),
    importRelations.pipe(Command.provide(commandServices)),
    doctor({ sql: sqlLayer("attach"), eventStore, readModels })
  ])
)

const isService = process.argv[2] === "serve"
let isAnswerLost = false

// A reader that went away (`| head`) has read enough: the command ends as it would have. A service goes on without its log.
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE" || isService || isAnswerLost) return
  isAnswerLost = true
  process.stderr.write(`The answer cannot be written: ${message}\n`)
})
// What cannot be told is no reason to end.
process.stderr.on("error", () => {})

// The end of the terminal that it was started on stops the program as `kill` does.
process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM"))

Command.run(chronoforge, { version }).pipe(
  explainStart,
  Effect.provide([NodeServices.layer, usagePresenter]),
  NodeRuntime.runMain({
    // That the last line could not be written is told a moment after it was.
    teardown: (exit, onExit) =>
      teardown(isService)(exit, (code) => setImmediate(() => onExit(isAnswerLost ? exitCodes.notStarted : code)))
  })
)
