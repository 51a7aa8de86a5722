import { Effect } from "effect"
import { Groups, pathName } from "../../groups/Groups.ts"
import { groupIdOf } from "../../groups/ids.ts"
import type { EventStore } from "../../platform/eventStore/EventStore.ts"
import { formerOwnersOf, type Name } from "../../platform/Reservations.ts"

type Asked<A> = Effect.Effect<A, never, EventStore | Groups>

/** The id of the group or user of a path, of a group also where it is gone. */
const namespaceId = Effect.fnUntraced(function* (path: string) {
  const found = yield* Groups.use((groups) => groups.find(path, undefined))
  if (found !== undefined) return found.namespace.id
  return (yield* ownersOfPath(path)).flatMap((stream) => groupIdOf(stream) ?? []).at(0)
})

/** The name that is reserved for a path; undefined for one within what never was. */
const nameOf = Effect.fnUntraced(function* (path: string) {
  const end = path.lastIndexOf("/")
  if (end < 0) return pathName(null, path)
  const parentId = yield* namespaceId(path.slice(0, end))
  return parentId === undefined ? undefined : pathName(parentId, path.slice(end + 1))
})

/** The streams of the users, groups and projects that had a path at any time, the last one first: they may be deleted, or renamed. */
export const ownersOfPath = (path: string): Asked<ReadonlyArray<string>> =>
  Effect.flatMap(nameOf(path), (name: Name | undefined) => (name === undefined ? Effect.succeed([]) : formerOwnersOf(name)))
