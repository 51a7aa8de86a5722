import { discussionAggregate } from "#src/notes/aggregate.ts"
import type { Command, Start } from "#src/notes/commands.ts"
import type { Position } from "#src/notes/events.ts"
import type { State } from "#src/notes/state.ts"
import { stepOf } from "#test/support/aggregateLaws.ts"

export const position: Position = {
  baseSha: "a".repeat(40),
  startSha: "b".repeat(40),
  headSha: "c".repeat(40),
  oldPath: "README.md",
  newPath: "README.md",
  oldLine: null,
  newLine: 2
}

/** A note that stands alone. */
export const start: Start = {
  _tag: "Start",
  noteId: 11,
  authorId: 7,
  body: "Looks good.",
  createdAt: undefined,
  isThread: false,
  isInternal: false,
  position: null
}

export const startThread: Start = { ...start, isThread: true, position }

export const reply: Command = { _tag: "Reply", id: 13, authorId: 8, body: "Thanks.", createdAt: undefined }

export const resolve: Command = { _tag: "Resolve", id: undefined, by: 9, isResolved: true, isLast: true }

const step = stepOf(discussionAggregate)

/** The state behind commands. */
export const behind = (...commands: ReadonlyArray<Command>): State => commands.reduce(step, discussionAggregate.initial)
