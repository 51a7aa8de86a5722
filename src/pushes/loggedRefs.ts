import { Effect } from "effect"
import { decodeAll } from "../platform/eventStore/codec.ts"
import { EventStore } from "../platform/eventStore/EventStore.ts"
import { pushCodec } from "../pushes/events.ts"
import { repositoryStream } from "../pushes/ids.ts"

/** Where branches and tags of a project are by the log itself: read models may be behind it. */
export const recordedRefs = Effect.fnUntraced(function* (projectId: number) {
  const recorded = yield* EventStore.use((store) => store.read(repositoryStream(projectId)))
  const refs = new Map<string, string>()
  for (const { updates } of yield* decodeAll(pushCodec, recorded)) {
    for (const { after, ref } of updates) {
      if (after === null) refs.delete(ref)
      else refs.set(ref, after)
    }
  }
  return { isNew: recorded.length === 0, refs }
})
