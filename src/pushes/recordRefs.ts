import { Effect } from "effect"
import type { Push } from "../git/http/access.ts"
import { record } from "../platform/Commands.ts"
import type { Position } from "../platform/eventStore/EventStore.ts"
import { Projections } from "../platform/Projections.ts"
import { noteReadme, protectDefaultBranch } from "../projects/firstPush.ts"
import { type PushEvent, pushCodec } from "./events.ts"
import { repositoryStream } from "./ids.ts"

/** Refs of one event: about a megabyte. */
const mostUpdates = 5_000

const eventsOf = ({ options, updates }: Push): ReadonlyArray<PushEvent> => {
  const events: Array<PushEvent> = []
  for (let start = 0; start < updates.length; start += mostUpdates) {
    events.push({ _tag: "RefsUpdated", updates: updates.slice(start, start + mostUpdates), options: start === 0 ? options : [] })
  }
  return events
}

const heads = "refs/heads/"
const newBranches = ({ updates }: Push): ReadonlyArray<string> =>
  updates.flatMap(({ after, before, ref }) =>
    before === null && after !== null && ref.startsWith(heads) ? [ref.slice(heads.length)] : []
  )

/**
 * Records in the log what moved in the repository of a project, to be called while the refs are held. After the first branches it
 * chooses the default branch and protects it. Answers when read models show it.
 */
export const recordRefs = Effect.fn("pushes.recordRefs")(function* (projectId: number, push: Push) {
  const projections = yield* Projections
  let position: Position = yield* record(pushCodec, repositoryStream(projectId), eventsOf(push))
  const branches = newBranches(push)
  const filled = branches.length === 0 ? undefined : yield* protectDefaultBranch(projectId, branches)
  const refs = push.updates.map(({ ref }) => ref)
  const noted = yield* noteReadme(projectId, refs).pipe(Effect.catchCause(() => Effect.succeed(undefined)))
  position = Math.max(position, filled?.position ?? 0, noted?.position ?? 0)
  yield* projections.awaitPosition(position).pipe(Effect.ignore)
  return position
})
