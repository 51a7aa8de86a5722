import { Effect } from "effect"
import { decodeAll } from "../platform/eventStore/codec.ts"
import { EventStore, type ExpectedRevision } from "../platform/eventStore/EventStore.ts"
import { pushCodec } from "./events.ts"
import { repositoryStream } from "./ids.ts"

/** Where branches and tags of a project are by the log itself, which read models may be behind, and where its stream ends. */
export const loggedRefs = Effect.fnUntraced(function* (projectId: number) {
  const recorded = yield* EventStore.use((store) => store.read(repositoryStream(projectId)))
  const refs = new Map<string, string>()
  for (const { updates } of yield* decodeAll(pushCodec, recorded)) {
    for (const { after, ref } of updates) {
      if (after === null) refs.delete(ref)
      else refs.set(ref, after)
    }
  }
  const revision: ExpectedRevision = recorded.at(-1)?.revision ?? "noStream"
  return { refs, revision }
})
