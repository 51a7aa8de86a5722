import { Data, Result } from "effect"
import type { Aggregate } from "../../platform/Aggregate.ts"
import { userKeyStream } from "../ids.ts"
import { UserKeyEvent, userKeyCodec } from "./events.ts"

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Present"; readonly userId: number; readonly fingerprintSha256: string }
  | { readonly _tag: "Removed" }

const initial: State = { _tag: "Absent" }

/** Adds a key that `keyFaults` found nothing wrong with. */
export interface Add {
  readonly _tag: "Add"
  readonly key: Omit<Extract<UserKeyEvent, { readonly _tag: "SshKeyAdded" }>, "_tag">
}

export type Command = Add | { readonly _tag: "Remove" }

/** There is a key in this stream, or was one. */
export class KeyExists extends Data.TaggedError("KeyExists") {}

/** The key was never there, or is removed. */
export class KeyMissing extends Data.TaggedError("KeyMissing") {}

export type Refusal = KeyExists | KeyMissing

const { cases } = UserKeyEvent

const decide = (command: Command, state: State): Result.Result<ReadonlyArray<UserKeyEvent>, Refusal> => {
  switch (command._tag) {
    case "Add":
      return state._tag === "Absent" ? Result.succeed([cases.SshKeyAdded.make(command.key)]) : Result.fail(new KeyExists())
    case "Remove":
      return state._tag === "Present" ? Result.succeed([cases.SshKeyRemoved.make({})]) : Result.fail(new KeyMissing())
  }
}

const evolve = (state: State, event: UserKeyEvent): State => {
  switch (event._tag) {
    case "SshKeyAdded":
      if (state._tag !== "Absent") return state
      return { _tag: "Present", userId: event.userId, fingerprintSha256: event.fingerprintSha256 }
    case "SshKeyRemoved":
      return state._tag === "Present" ? { _tag: "Removed" } : state
  }
}

export const userKeyAggregate: Aggregate<number, Command, State, UserKeyEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: userKeyCodec,
  stream: userKeyStream
}
