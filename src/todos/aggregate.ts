import { Result } from "effect"
import type { Aggregate } from "../platform/Aggregate.ts"
import { type Action, TodoEvent, todoCodec } from "./events.ts"
import { todoStream, type Waiting } from "./ids.ts"

export type State = { readonly _tag: "Idle" } | { readonly _tag: "Pending"; readonly id: number }

const initial: State = { _tag: "Idle" }

/** Adds a to-do, unless one is pending. */
export interface Add {
  readonly _tag: "Add"
  readonly id: number
  readonly action: Action
  readonly authorId: number
}

/** Marks what is pending as done: the one with this id, or whichever it is. */
export interface Finish {
  readonly _tag: "Finish"
  readonly id?: number
}

export type Command = Add | Finish

const { cases } = TodoEvent

const decide = (command: Command, state: State): Result.Result<ReadonlyArray<TodoEvent>> => {
  if (command._tag === "Finish") {
    const isMeant = state._tag === "Pending" && (command.id === undefined || command.id === state.id)
    return Result.succeed(isMeant ? [cases.TodoDone.make({ id: state.id })] : [])
  }
  const { _tag, ...todo } = command
  return Result.succeed(state._tag === "Pending" ? [] : [cases.TodoAdded.make(todo)])
}

const evolve = (_: State, event: TodoEvent): State => (event._tag === "TodoAdded" ? { _tag: "Pending", id: event.id } : initial)

/** The to-dos of a user for one thing. */
export const todoAggregate: Aggregate<Waiting, Command, State, TodoEvent, never> = {
  initial,
  decide,
  evolve,
  codec: todoCodec,
  stream: todoStream
}
