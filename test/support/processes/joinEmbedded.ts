import { NodeRuntime } from "@effect/platform-node"
import { Effect, References } from "effect"
import { embeddedPostgres } from "#src/platform/sql/embedded/embedded.ts"

/**
 * A process that uses the embedded Postgres of a folder until it gets a signal: `node joinEmbedded.ts <folder> own|attach`. Its
 * first line of output is JSON: where the server is, or why there is none.
 */
const [dataDir = "", mode] = process.argv.slice(2)

const print = (line: unknown) => Effect.sync(() => process.stdout.write(`${JSON.stringify(line)}\n`))

Effect.scoped(
  Effect.gen(function* () {
    yield* print(yield* embeddedPostgres({ dataDir, mode: mode === "own" ? "own" : "attach" }))
    return yield* Effect.never
  })
).pipe(
  Effect.catchTag("StartError", ({ message }) => print({ message })),
  Effect.provideService(References.MinimumLogLevel, "None"),
  NodeRuntime.runMain
)
