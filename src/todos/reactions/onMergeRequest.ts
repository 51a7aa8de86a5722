import { Effect } from "effect"
import type { MergeRequestEvent } from "../../mergeRequests/events.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { userOf } from "../../platform/Origin.ts"
import type { Action } from "../events.ts"
import type { Target } from "../ids.ts"
import { addTodo, finishTodo } from "../writes.ts"
import { authorOf, lastBefore } from "./eventsBefore.ts"

type Of<Tag extends MergeRequestEvent["_tag"]> = Extract<MergeRequestEvent, { readonly _tag: Tag }>

interface Happened {
  readonly recorded: RecordedEvent
  readonly target: Target
}

/** A to-do for each of some users, once for each event. */
const addFor = (
  userIds: ReadonlyArray<number>,
  { recorded, target }: Happened,
  why: { readonly action: Action; readonly authorId: number }
) => Effect.forEach(userIds, (userId) => addTodo({ userId, target, ...why }, `${recorded.id}/${why.action}`), { discard: true })

const onOpened = Effect.fnUntraced(function* (
  { assigneeIds, authorId, reviewerIds }: Of<"MergeRequestOpened">,
  happened: Happened
) {
  yield* addFor(assigneeIds, happened, { action: "assigned", authorId })
  yield* addFor(reviewerIds, happened, { action: "review_requested", authorId })
})

type People = "assigneeIds" | "reviewerIds"

/** Those who are in a role since a change, and were not before. */
const newcomers = Effect.fnUntraced(function* (role: People, { changes }: Of<"MergeRequestChanged">, { recorded }: Happened) {
  const now = changes[role] ?? []
  if (now.length === 0) return []
  const before = yield* lastBefore(recorded, (event) => {
    if (event._tag === "MergeRequestOpened") return event[role]
    return event._tag === "MergeRequestChanged" ? event.changes[role] : undefined
  })
  return now.filter((id) => before?.includes(id) !== true)
})

/** Changes of these alone leave what waits for who made them. */
const unrelated = ["squash", "removesSourceBranch", "allowsCollaboration", "isDiscussionLocked"]

const onChanged = Effect.fnUntraced(function* (event: Of<"MergeRequestChanged">, happened: Happened) {
  const by = userOf(happened.recorded.metadata.actor)
  if (by === undefined) return
  if (Object.keys(event.changes).some((name) => !unrelated.includes(name)))
    yield* finishTodo({ userId: by, target: happened.target })
  yield* addFor(yield* newcomers("assigneeIds", event, happened), happened, { action: "assigned", authorId: by })
  yield* addFor(yield* newcomers("reviewerIds", event, happened), happened, { action: "review_requested", authorId: by })
})

/** Its author is told of a conflict, unless it could not be merged before. */
const onChecked = Effect.fnUntraced(function* ({ verdict }: Of<"MergeabilityChecked">, happened: Happened) {
  if (verdict !== "conflict") return
  const before = yield* lastBefore(happened.recorded, (event) =>
    event._tag === "MergeabilityChecked" ? event.verdict : undefined
  )
  const author = before === undefined || before === "mergeable" ? yield* authorOf(happened.recorded) : undefined
  if (author !== undefined) yield* addFor([author], happened, { action: "unmergeable", authorId: author })
})

export const mergeRequestTypes = [
  "MergeRequestOpened",
  "MergeRequestChanged",
  "MergeRequestClosed",
  "MergeRequestMerged",
  "MergeRequestApproved",
  "MergeabilityChecked"
] as const satisfies ReadonlyArray<MergeRequestEvent["_tag"]>

/** What follows from what happened to a merge request. Who closes, merges or approves it has nothing to do with it any more; others have. */
export const onMergeRequest = (event: MergeRequestEvent, happened: Happened) => {
  switch (event._tag) {
    case "MergeRequestOpened":
      return onOpened(event, happened)
    case "MergeRequestChanged":
      return onChanged(event, happened)
    case "MergeRequestClosed":
    case "MergeRequestMerged":
    case "MergeRequestApproved":
      return Effect.asVoid(finishTodo({ userId: event.by, target: happened.target }))
    case "MergeabilityChecked":
      return onChecked(event, happened)
    default:
      return Effect.void
  }
}
