import { relative } from "node:path"
import { Effect, Layer, Option } from "effect"
import { AppConfig } from "../../config.ts"
import { advisoryLocks } from "../../platform/sql/advisoryLocks.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import type { Repository } from "../Repository.ts"
import { PushLocks } from "./pushLocks.ts"

/**
 * The layer of locks over all processes on one database. Callers of one process wait for each other first, so that only one of them
 * asks the server.
 */
export const layerAdvisoryPushLocks: Layer.Layer<PushLocks, never, AppConfig | Sql> = Layer.effect(
  PushLocks,
  Effect.gen(function* () {
    const [{ dataDir }, processLocks, databaseLocks] = [
      yield* AppConfig,
      yield* PushLocks,
      yield* advisoryLocks("chronoforge-pushes")
    ]
    const nameOf = (kind: string, { path }: Repository) => `chronoforge.${kind}.${relative(dataDir, path)}`
    return PushLocks.of({
      withPushLock: (repository, effect) =>
        processLocks.withPushLock(repository, databaseLocks.withLock(nameOf("push", repository), effect)),
      turns: processLocks.turns,
      withMaintenanceLock: (repository, effect) =>
        processLocks.withMaintenanceLock(repository, databaseLocks.withLock(nameOf("maintain", repository), effect)),
      tryWithMaintenanceLock: (kind, repository, effect) =>
        processLocks
          .tryWithMaintenanceLock(kind, repository, databaseLocks.tryWithLock(nameOf(kind, repository), effect))
          .pipe(Effect.map(Option.flatten)),
      losses: databaseLocks.losses
    })
  })
).pipe(Layer.provide(PushLocks.layer))
