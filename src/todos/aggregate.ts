import { Result } from "effect"
import type { Aggregate } from "../platform/Aggregate.ts"
import { type Action, type Cause, TodoEvent, todoCodec } from "./events.ts"
import { todoStream, type Waiting } from "./ids.ts"

/** With what led to the last to-do, or to that it was done; undefined where nothing has, or older events do not tell. */
export type State =
  | { readonly _tag: "Idle"; readonly cause: Cause | undefined }
  | { readonly _tag: "Pending"; readonly id: number; readonly cause: Cause | undefined }

const initial: State = { _tag: "Idle", cause: undefined }

/** Adds a to-do, unless one is pending, or what happened later than its cause has done it. */
export interface Add {
  readonly _tag: "Add"
  readonly id: number
  readonly action: Action
  readonly authorId: number
  readonly cause: Cause
}

/** Marks what is pending as done: the one with this id, or whichever came about before the cause. */
export interface Finish {
  readonly _tag: "Finish"
  readonly id?: number
  readonly cause: Cause
}

export type Command = Add | Finish

const { cases } = TodoEvent

/** Reactions come late, in another order, and twice. What one command did is one cause. */
const isBefore = (one: Cause | undefined, other: Cause): boolean =>
  one === undefined || (one.position < other.position && (one.commandId === undefined || one.commandId !== other.commandId))

const isMeant = ({ cause, id }: Finish, pending: Extract<State, { readonly _tag: "Pending" }>): boolean =>
  id === undefined ? isBefore(pending.cause, cause) : id === pending.id

const decide = (command: Command, state: State): Result.Result<ReadonlyArray<TodoEvent>> => {
  const { _tag, cause } = command
  if (_tag === "Finish") {
    const isDone = state._tag === "Pending" && isMeant(command, state)
    return Result.succeed(isDone ? [cases.TodoDone.make({ id: state.id, cause })] : [])
  }
  const { action, authorId, id } = command
  const isDone = state.cause !== undefined && isBefore(cause, state.cause)
  return Result.succeed(state._tag === "Pending" || isDone ? [] : [cases.TodoAdded.make({ id, action, authorId, cause })])
}

const evolve = (_: State, { _tag, cause, id }: TodoEvent): State =>
  _tag === "TodoAdded" ? { _tag: "Pending", id, cause } : { _tag: "Idle", cause }

/** The to-dos of a user for one thing. */
export const todoAggregate: Aggregate<Waiting, Command, State, TodoEvent, never> = {
  initial,
  decide,
  evolve,
  codec: todoCodec,
  stream: todoStream
}
