import { Effect, Layer } from "effect"
import { clustersReadModel } from "#projections/clusters/project.ts"
import { clusterQueries } from "#projections/clusters/queries.ts"
import { keysReadModel } from "#projections/keys/project.ts"
import { keyQueries } from "#projections/keys/queries.ts"
import { layerProjections } from "#projections/layer.ts"
import { tokensReadModel } from "#projections/tokens/project.ts"
import { tokensQueries } from "#projections/tokens/queries.ts"
import { usersReadModel } from "#projections/users/project.ts"
import { usersQueries } from "#projections/users/queries.ts"
import { clusterRoutes } from "./clusters/handlers.ts"
import { ManagementProjects } from "./clusters/ManagementProjects.ts"
import { AppConfig, redacted } from "./config.ts"
import type { RequirementsOf, Route } from "./http/Endpoint.ts"
import { layerMeasuredEventStore } from "./http/metrics.ts"
import { versionRoutes } from "./http/version.ts"
import { keyRoutes } from "./keys/handlers.ts"
import { layerEventStoreDb } from "./platform/eventStore/eventStoreDb.ts"
import { layerPostgres } from "./platform/eventStore/postgres.ts"
import { layerSecretsPostgres } from "./platform/secretsPostgres.ts"
import type { Mode } from "./platform/sql/embedded.ts"
import { layerAuthenticator } from "./tokens/authenticator.ts"
import { tokenRoutes } from "./tokens/handlers.ts"
import { TokenUse } from "./tokens/TokenUse.ts"
import { userRoutes } from "./users/handlers.ts"

export const readModels = [usersReadModel, tokensReadModel, keysReadModel, clustersReadModel]

const declared = [...versionRoutes, ...userRoutes, ...tokenRoutes, ...keyRoutes, ...clusterRoutes]

/** Every endpoint with its handler. */
export const routes: ReadonlyArray<Route<RequirementsOf<typeof declared>>> = declared

/** The log that the settings choose. */
export const eventStore = Layer.unwrap(
  Effect.map(AppConfig, ({ eventStoreUrl }) => {
    if (eventStoreUrl === undefined || redacted(eventStoreUrl) === "") return layerPostgres
    return layerEventStoreDb(eventStoreUrl)
  })
)

/** The questions that may be asked of the read models, over a migrated database. */
export const queries = Layer.mergeAll(usersQueries, tokensQueries, keyQueries, clusterQueries)

/** Log, read models and their upkeep, secrets: everything below the edge, over a migrated database. */
export const core = (mode: Mode) =>
  Layer.mergeAll(queries, layerSecretsPostgres, layerProjections(readModels, mode === "own")).pipe(
    Layer.provideMerge(Layer.provide(layerMeasuredEventStore, eventStore)),
    Layer.provideMerge(ManagementProjects.layerNone)
  )

/** What requests need besides. */
export const edge = Layer.provideMerge(layerAuthenticator, TokenUse.layer)
