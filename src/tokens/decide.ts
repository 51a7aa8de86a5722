import { Result } from "effect"
import type { Command } from "./commands.ts"
import { AlreadyRevoked, type Refusal, TokenExists, TokenMissing } from "./errors.ts"
import { TokenEvent } from "./events.ts"
import type { State } from "./state.ts"

type Decision = Result.Result<ReadonlyArray<TokenEvent>, Refusal>

const event = TokenEvent.cases
const nothing: Decision = Result.succeed([])

/** A use is noted once a day, and never for a day before the last one or after the end. Revoking twice adds nothing. */
export const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Issue") {
    const { _tag, ...issued } = command
    return state._tag === "Absent" ? Result.succeed([event.TokenIssued.make(issued)]) : Result.fail(new TokenExists())
  }
  if (state._tag === "Absent") return Result.fail(new TokenMissing())
  switch (command._tag) {
    case "NoteUse": {
      const noted = state._tag === "Revoked" || (state.lastUsedOn !== null && state.lastUsedOn >= command.day)
      return noted ? nothing : Result.succeed([event.TokenUsed.make({ day: command.day })])
    }
    case "Revoke":
      return state._tag === "Revoked" ? nothing : Result.succeed([event.TokenRevoked.make({ reason: command.reason })])
    case "Rotate":
      return state._tag === "Revoked"
        ? Result.fail(new AlreadyRevoked())
        : Result.succeed([event.TokenRotated.make({ successor: command.successor })])
  }
}
