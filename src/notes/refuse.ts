import { Effect } from "effect"
import { badRequest, notFound, thingNotFound, type WireError } from "../http/answer/errors.ts"
import { inspectedFaults } from "../http/answer/faults.ts"
import type { Refusal, TooManyNotes } from "./commands.ts"

/** How the reference tells that a note is wrong. */
export const invalidNote = (faults: Parameters<typeof inspectedFaults>[0], prefix = "Note"): WireError =>
  badRequest(`400 Bad request - ${prefix} ${inspectedFaults(faults)}`)

/** Answers the refusals of writes. */
export const refuse = <A, R>(written: Effect.Effect<A, Refusal | TooManyNotes | WireError, R>, prefix?: string) =>
  Effect.catchTags(written, {
    NoteInvalid: ({ text }) => Effect.fail(invalidNote([{ attribute: "note", text }], prefix)),
    TooManyNotes: () => Effect.fail(invalidNote([{ attribute: "base", text: "Maximum number of comments exceeded" }], prefix)),
    NoteMissing: () => Effect.fail(notFound),
    DiscussionMissing: () => Effect.fail(thingNotFound("Discussion")),
    NotResolvable: () => Effect.fail(badRequest("400 Bad request - Note is not resolvable")),
    DiscussionExists: (refusal) => Effect.die(refusal)
  })
