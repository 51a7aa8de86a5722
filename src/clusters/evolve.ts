import { ClusterEvent } from "./events.ts"
import type { Cluster, State } from "./state.ts"

const connected = (cluster: Cluster): State => ({ _tag: "Connected", cluster })

/** Events of a cluster that is not connected change nothing, and a removed one stays removed. */
export const evolve = (state: State, event: ClusterEvent): State => {
  if (state._tag === "Removed") return state
  if (event._tag === "ClusterAdded") {
    const { settings, providerType, provider, token } = event
    return state._tag === "Absent" ? connected({ settings, providerType, provider, token }) : state
  }
  if (state._tag === "Absent") return state
  return ClusterEvent.match(event, {
    ClusterAdded: () => state,
    ClusterChanged: ({ changes }) => connected({ ...state.cluster, settings: { ...state.cluster.settings, ...changes } }),
    ClusterTokenReplaced: ({ token }) => connected({ ...state.cluster, token }),
    ClusterRemoved: (): State => ({ _tag: "Removed" })
  })
}
