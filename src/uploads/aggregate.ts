import { Data, Result } from "effect"
import type { Aggregate } from "../platform/Aggregate.ts"
import { UploadEvent, uploadCodec } from "./events.ts"
import { uploadStream } from "./ids.ts"

type Added = Omit<Extract<UploadEvent, { readonly _tag: "UploadAdded" }>, "_tag">

/** Where the file of an upload lies, or lay. */
export interface Place extends Pick<Added, "projectId" | "secret" | "name"> {}

/** An upload that is removed does not come back. */
export type State = { readonly _tag: "Absent" } | ({ readonly _tag: "Present" | "Removed" } & Place)

const initial: State = { _tag: "Absent" }

export interface Add extends Added {
  readonly _tag: "Add"
}

export interface Remove {
  readonly _tag: "Remove"
  readonly by: number
}

export type Command = Add | Remove

/** There is, or was, an upload in this stream. */
export class UploadExists extends Data.TaggedError("UploadExists") {}

/** There is no such upload. */
export class UploadMissing extends Data.TaggedError("UploadMissing") {}

type Refusal = UploadExists | UploadMissing
type Decision = Result.Result<ReadonlyArray<UploadEvent>, Refusal>

const { cases } = UploadEvent

const add = ({ _tag, ...added }: Add, state: State): Decision =>
  state._tag === "Absent" ? Result.succeed([cases.UploadAdded.make(added)]) : Result.fail(new UploadExists())

const remove = ({ by }: Remove, state: State): Decision => {
  switch (state._tag) {
    case "Absent":
      return Result.fail(new UploadMissing())
    case "Removed":
      return Result.succeed([])
    case "Present": {
      const { name, projectId, secret } = state
      return Result.succeed([cases.UploadRemoved.make({ projectId, secret, name, by })])
    }
  }
}

const decide = (command: Command, state: State): Decision =>
  command._tag === "Add" ? add(command, state) : remove(command, state)

const evolve = (state: State, { _tag, name, projectId, secret }: UploadEvent): State =>
  state._tag === "Removed" ? state : { _tag: _tag === "UploadAdded" ? "Present" : "Removed", projectId, secret, name }

export const uploadAggregate: Aggregate<number, Command, State, UploadEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: uploadCodec,
  stream: uploadStream
}
