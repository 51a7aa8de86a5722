import { HashMap, Result } from "effect"
import { defined } from "../kernel/defined.ts"
import type { Aggregate } from "../platform/Aggregate.ts"
import {
  type Command,
  type Decision,
  DiscussionExists,
  DiscussionMissing,
  NoteInvalid,
  NoteMissing,
  NotResolvable,
  type Refusal,
  type Reply,
  type Resolve,
  type Start
} from "./commands.ts"
import { DiscussionEvent, discussionCodec } from "./events.ts"
import { bodyFault } from "./faults.ts"
import { type DiscussionKey, discussionStream } from "./ids.ts"
import { type Discussion, evolve, idsOf, initial, noteIn, type State } from "./state.ts"

const { cases } = DiscussionEvent
const nothing: Decision = Result.succeed([])
const one = (event: DiscussionEvent): Decision => Result.succeed([event])

/** The events, unless the text is wrong. */
const unlessInvalid = (body: string, events: () => ReadonlyArray<DiscussionEvent>): Decision => {
  const text = bodyFault(body)
  return text === undefined ? Result.succeed(events()) : Result.fail(new NoteInvalid({ text }))
}

const start = ({ _tag, ...command }: Start): Decision =>
  unlessInvalid(command.body, () => [cases.DiscussionStarted.make(defined(command))])

const reply = ({ authorId, body, createdAt, id }: Reply, discussion: Discussion): Decision =>
  unlessInvalid(body, () => {
    const { firstId, isInternal, isThread, position, unresolved } = discussion
    const place = { isInternal, position, isResolved: isThread && unresolved === 0 }
    const added = cases.NoteAdded.make(defined({ id, authorId, body, createdAt, ...place }))
    return isThread ? [added] : [cases.NoteBecameThread.make({ id: firstId }), added]
  })

const deleteNote = (id: number, by: number, { firstId, notes }: Discussion): Decision => {
  const others = firstId === id ? [...HashMap.keys(notes)].filter((other) => other !== id) : []
  // The oldest one left: ids ascend.
  const successorId = others.length === 0 ? undefined : others.reduce((least, other) => Math.min(least, other))
  return one(cases.NoteDeleted.make(defined({ id, by, successorId })))
}

const resolve = ({ by, id, isLast, isResolved }: Resolve, discussion: Discussion): Decision => {
  if (!discussion.isThread) return Result.fail(new NotResolvable())
  const changing = idsOf(discussion, !isResolved)
  const ids = id === undefined ? changing : changing.filter((each) => each === id)
  if (ids.length === 0) return nothing
  if (!isResolved) return one(cases.NotesReopened.make({ ids, by }))
  return one(cases.NotesResolved.make({ ids, by, isLast: isLast && ids.length === discussion.unresolved }))
}

const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Start") return state._tag === "Absent" ? start(command) : Result.fail(new DiscussionExists())
  if (state._tag !== "Present") return Result.fail(new DiscussionMissing())
  const { discussion } = state
  if (command._tag === "Reply") return reply(command, discussion)
  if (command.id !== undefined && noteIn(discussion, command.id) === undefined) return Result.fail(new NoteMissing())
  switch (command._tag) {
    case "ChangeNote":
      return unlessInvalid(command.body, () => [cases.NoteChanged.make({ id: command.id, by: command.by, body: command.body })])
    case "DeleteNote":
      return deleteNote(command.id, command.by, discussion)
    case "Resolve":
      return resolve(command, discussion)
  }
}

export const discussionAggregate: Aggregate<DiscussionKey, Command, State, DiscussionEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: discussionCodec,
  stream: discussionStream
}
