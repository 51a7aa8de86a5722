import { Effect } from "effect"
import { wakeResolved } from "../../mergeRequests/MergeRequests.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { awaitVisible, react } from "../../platform/reactions/react.ts"
import type { DiscussionEvent } from "../events.ts"
import { discussionKeyOf } from "../ids.ts"

const onEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  const key = discussionKeyOf(event.stream)
  if (key === undefined) return
  yield* awaitVisible(event)
  yield* wakeResolved({ projectId: key.projectId, iid: key.iid })
})

const types = ["NotesResolved", "NoteDeleted"] as const satisfies ReadonlyArray<DiscussionEvent["_tag"]>

/** Tells merge requests that their last discussion may be resolved, for ever, in one process at a time. */
export const notifyResolved = react({ name: "resolved-discussions", types: new Set(types), onEvent })
