import { Effect } from "effect"
import { decodeAll } from "../platform/eventStore/codec.ts"
import { EventStore, type ExpectedRevision } from "../platform/eventStore/EventStore.ts"
import { pushCodec } from "./events.ts"
import { repositoryStream } from "./ids.ts"

/** This many events are read at a time, because one may have a megabyte. */
const pageSize = 100

/** The refs of a project according to the log, which read models may lag behind, and the last revision of its stream. */
export const loggedRefs = Effect.fnUntraced(function* (projectId: number) {
  const [store, stream] = [yield* EventStore, repositoryStream(projectId)]
  const refs = new Map<string, string>()
  let revision: ExpectedRevision = "noStream"
  for (let from = 0; ; from += pageSize) {
    const recorded = yield* store.read(stream, { from, limit: pageSize })
    for (const { updates } of yield* decodeAll(pushCodec, recorded)) {
      for (const { after, ref } of updates) {
        if (after === null) refs.delete(ref)
        else refs.set(ref, after)
      }
    }
    revision = recorded.at(-1)?.revision ?? revision
    if (recorded.length < pageSize) return { refs, revision }
  }
})
