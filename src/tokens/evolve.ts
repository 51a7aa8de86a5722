import type { TokenEvent } from "./events.ts"
import type { State } from "./state.ts"

/** The first end of a token is final. */
export const evolve = (state: State, event: TokenEvent): State => {
  if (state._tag === "Revoked") return state
  switch (event._tag) {
    case "TokenIssued":
      return { _tag: "Usable", lastUsedOn: null }
    case "TokenUsed":
      return state._tag === "Usable" ? { _tag: "Usable", lastUsedOn: event.day } : state
    case "TokenRevoked":
      return { _tag: "Revoked", successor: null }
    case "TokenRotated":
      return { _tag: "Revoked", successor: event.successor }
  }
}
