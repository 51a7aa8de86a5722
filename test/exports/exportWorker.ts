import { writeSync } from "node:fs"
import { ConfigProvider, Effect, Layer, References } from "effect"
import { core } from "#src/composition.ts"
import { AppConfig } from "#src/config.ts"
import { performExport } from "#src/exports/work/performExport.ts"
import { connect } from "#src/platform/sql/connect.ts"
import { Sql } from "#src/platform/sql/Sql.ts"

// A worker: says that it begins when it is told to, goes on with the export of a project, and ends.

const [projectId, databaseUrl = ""] = process.argv.slice(2)

const services = core("attach").pipe(
  Layer.provideMerge(Layer.effect(Sql, Effect.orDie(connect(databaseUrl, 4)))),
  Layer.provideMerge(AppConfig.layer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv())),
  Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Error"))
)

const begin = Effect.promise(
  () =>
    new Promise<void>((resolve) => {
      writeSync(1, "ready\n")
      process.stdin.once("data", () => resolve())
    })
)

await Effect.runPromise(Effect.andThen(begin, performExport(Number(projectId))).pipe(Effect.provide(services)))
writeSync(1, "done\n")
process.exit()
