import { Effect } from "effect"
import { aggregateNames } from "../platform/aggregateNames.ts"
import { guardOf, handle, load } from "../platform/Commands.ts"
import { nextId } from "../platform/Ids.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { changes, creates } from "../platform/repeats.ts"
import { Secrets } from "../platform/secrets/Secrets.ts"
import { type Add, ClusterInvalid, ClusterMissing, clusterAggregate } from "./aggregate.ts"
import type { SettingsChanges } from "./events.ts"
import { additionFaults, changeFaults, scopeIsTaken } from "./faults.ts"
import { clusterIdOf, clusterStream } from "./ids.ts"
import { ClusterQueries } from "./Queries.ts"

const scopes = aggregateNames({
  aggregate: clusterAggregate,
  idOf: clusterIdOf,
  nameOf: (text: string) => ({ kind: "cluster-environment-scope", text }),
  holds: (state, scope) => state._tag === "Connected" && state.cluster.settings.environmentScope === scope
})

/** Reserves a scope for a cluster. Answers what guards the command that gives it. */
const reserveScope = (scope: string, id: number) =>
  guardOf(Effect.mapError(scopes.reserve(scope, id), () => new ClusterInvalid({ faults: [scopeIsTaken] })))

type ScopeGuard = Effect.Success<ReturnType<typeof reserveScope>>

type NewCluster = Omit<Add, "_tag" | "token" | "scopeTaken">

/** Deletes the key of a cluster that did not come about. That of one which exists is never touched. */
const forgetUnused = Effect.fnUntraced(function* (id: number) {
  const { revision } = yield* load(clusterAggregate, id)
  if (revision < 0) yield* Secrets.use((secrets) => secrets.deleteKey(clusterStream(id)))
})

const add = Effect.fnUntraced(function* (newCluster: NewCluster, token: string | null) {
  const [queries, secrets] = [yield* ClusterQueries, yield* Secrets]
  const scope = newCluster.settings.environmentScope
  const command = { ...newCluster, _tag: "Add", scopeTaken: yield* queries.hasScope(scope) } as const
  // No id is taken, nothing reserved or sealed, and no key made, for what is refused.
  const faults = additionFaults(command, token !== null)
  if (token === null || faults.length > 0) return yield* new ClusterInvalid({ faults })
  const id = yield* nextId("cluster")
  const guard = yield* reserveScope(scope, id)
  const sealed = yield* secrets.seal(clusterStream(id), token)
  const handled = yield* handle(clusterAggregate, id, { ...command, token: sealed }, { guard }).pipe(
    Effect.tapError(() => Effect.andThen(scopes.release(scope, id), forgetUnused(id)))
  )
  return { ...handled, id }
})

/** Adds a cluster. `token` is in clear, null when blank. A refused one keeps neither scope nor key. */
export const addCluster = (newCluster: NewCluster, token: string | null) =>
  spanned("clusters.add")(creates(clusterAggregate, add(newCluster, token)))

/** Changes what may need a reservation or a key. */
const changeMore = Effect.fnUntraced(function* (id: number, changed: SettingsChanges, token: string | null) {
  const [queries, secrets] = [yield* ClusterQueries, yield* Secrets]
  const { state } = yield* load(clusterAggregate, id)
  if (state._tag !== "Connected") return yield* new ClusterMissing()
  const stream = clusterStream(id)
  const before = state.cluster.settings.environmentScope
  const { environmentScope: scope = before, ...others } = changed
  const isMoved = scope !== before
  const isNewToken = token !== null && (yield* secrets.open(stream, state.cluster.token)) !== token
  const command = {
    _tag: "Change",
    // The scope that it has is not reserved again: it would come back although another change gave it away meanwhile.
    changes: isMoved ? changed : others,
    scopeTaken: isMoved && (yield* queries.hasScope(scope, id))
  } as const
  const faults = changeFaults(command, state.cluster, isNewToken)
  if (faults.length > 0) return yield* new ClusterInvalid({ faults })
  const sealed = isNewToken ? Effect.map(secrets.seal(stream, token), (text) => ({ token: text })) : Effect.succeed({})
  // Sealing made a key again if the cluster was removed meanwhile.
  const send = (guarded: { readonly guard?: ScopeGuard }) =>
    Effect.flatMap(sealed, (tokenChange) => handle(clusterAggregate, id, { ...command, ...tokenChange }, guarded)).pipe(
      Effect.tapErrorTag("ClusterMissing", () => secrets.deleteKey(stream))
    )
  if (!isMoved) return yield* send({})
  const guard = yield* reserveScope(scope, id)
  const handled = yield* Effect.tapError(send({ guard }), () => scopes.release(scope, id))
  yield* scopes.release(before, id)
  return handled
})

const change = (id: number, changed: SettingsChanges, token: string | null) =>
  changed.environmentScope === undefined && token === null
    ? handle(clusterAggregate, id, { _tag: "Change", changes: changed, scopeTaken: false })
    : changeMore(id, changed, token)

/** Changes a cluster. `token` is in clear; null, or the present one, keeps the present one. */
export const changeCluster = (id: number, changed: SettingsChanges, token: string | null) =>
  spanned("clusters.change")(changes(clusterAggregate, id, change(id, changed, token)))

/** Removes a cluster. Its token can never be read again. */
export const removeCluster = Effect.fnUntraced(function* (id: number) {
  const secrets = yield* Secrets
  const { state } = yield* load(clusterAggregate, id)
  const handled = yield* handle(clusterAggregate, id, { _tag: "Remove" })
  if (state._tag === "Connected") yield* scopes.release(state.cluster.settings.environmentScope, id)
  yield* secrets.deleteKey(clusterStream(id))
  return handled
}, spanned("clusters.remove"))
