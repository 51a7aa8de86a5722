import { Data, Result } from "effect"
import type { Aggregate } from "../platform/Aggregate.ts"
import { type RevocationReason, TokenEvent, tokenCodec } from "./events.ts"
import { tokenStream } from "./ids.ts"

export type State =
  | { readonly _tag: "Absent" }
  /** The token may be used; `lastUsedOn` is `YYYY-MM-DD`. Expiry depends on the clock, not on the state. */
  | { readonly _tag: "Usable"; readonly lastUsedOn: string | null }
  /** The token is revoked; `successor` is the token that replaced it, if it was rotated. */
  | { readonly _tag: "Revoked"; readonly successor: number | null }

const initial: State = { _tag: "Absent" }

export interface Issue {
  readonly _tag: "Issue"
  readonly userId: number
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly expiresAt: string | null
  readonly digest: string
  readonly rotatedFrom: number | null
}

export type Command =
  | Issue
  | { readonly _tag: "NoteUse"; readonly day: string }
  | { readonly _tag: "Revoke"; readonly reason: RevocationReason }
  | { readonly _tag: "Rotate"; readonly successor: number }

/** There is a token in this stream, or was one. */
export class TokenExists extends Data.TaggedError("TokenExists") {}

/** There never was such a token. */
export class TokenMissing extends Data.TaggedError("TokenMissing") {}

/** The token is revoked, so it cannot be rotated. */
export class AlreadyRevoked extends Data.TaggedError("AlreadyRevoked") {}

export type Refusal = TokenExists | TokenMissing | AlreadyRevoked

type Decision = Result.Result<ReadonlyArray<TokenEvent>, Refusal>

const { cases } = TokenEvent
const nothing: Decision = Result.succeed([])

/** A use is noted once a day, and never for a day before the last one or after the end. Revoking twice adds nothing. */
const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Issue") {
    const { _tag, ...issued } = command
    return state._tag === "Absent" ? Result.succeed([cases.TokenIssued.make(issued)]) : Result.fail(new TokenExists())
  }
  if (state._tag === "Absent") return Result.fail(new TokenMissing())
  switch (command._tag) {
    case "NoteUse": {
      const isNoted = state._tag === "Revoked" || (state.lastUsedOn !== null && state.lastUsedOn >= command.day)
      return isNoted ? nothing : Result.succeed([cases.TokenUsed.make({ day: command.day })])
    }
    case "Revoke":
      return state._tag === "Revoked" ? nothing : Result.succeed([cases.TokenRevoked.make({ reason: command.reason })])
    case "Rotate":
      return state._tag === "Revoked"
        ? Result.fail(new AlreadyRevoked())
        : Result.succeed([cases.TokenRotated.make({ successor: command.successor })])
  }
}

/** The first end of a token is final. */
const evolve = (state: State, event: TokenEvent): State => {
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

export const tokenAggregate: Aggregate<number, Command, State, TokenEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: tokenCodec,
  stream: tokenStream
}
