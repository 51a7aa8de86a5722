import { Effect } from "effect"
import type { MergeRequestKey } from "../ids.ts"

/** So many merge requests are looked for at a time. */
const batch = 100

type Find<E, R> = (after: MergeRequestKey, limit: number) => Effect.Effect<ReadonlyArray<MergeRequestKey>, E, R>

/** Does something for each of the merge requests that are found in the order of their keys, one after the other, however many there are. */
export const eachKey = Effect.fnUntraced(function* <E, R, E2, R2>(
  find: Find<E, R>,
  act: (key: MergeRequestKey) => Effect.Effect<unknown, E2, R2>
) {
  let after: MergeRequestKey = { projectId: 0, iid: 0 }
  for (;;) {
    const keys = yield* find(after, batch)
    yield* Effect.forEach(keys, act, { discard: true })
    const last = keys.at(-1)
    if (last === undefined || keys.length < batch) return
    after = last
  }
})
