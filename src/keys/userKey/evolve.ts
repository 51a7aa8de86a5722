import type { UserKeyEvent } from "./events.ts"
import type { State } from "./state.ts"

export const evolve = (state: State, event: UserKeyEvent): State => {
  switch (event._tag) {
    case "SshKeyAdded":
      if (state._tag !== "Absent") return state
      return { _tag: "Present", userId: event.userId, fingerprintSha256: event.fingerprintSha256 }
    case "SshKeyRemoved":
      return state._tag === "Present" ? { _tag: "Removed" } : state
  }
}
