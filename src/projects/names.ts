import { Data, Effect, Equal, Schedule } from "effect"
import { groupPathName, pathName } from "../groups/Groups.ts"
import { groupStream } from "../groups/ids.ts"
import { guardOf, load } from "../platform/Commands.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { type HeldNames, NameHolders } from "../platform/NameHolders.ts"
import { type Name, ownerOf, release, reserve } from "../platform/Reservations.ts"
import { userStream } from "../users/ids.ts"
import { usernameName } from "../users/Users.ts"
import { projectAggregate } from "./aggregate.ts"
import { projectIdOf, projectStream } from "./ids.ts"
import { type Place, placeOf, presentIn, type State } from "./state.ts"

/** Something else in the namespace has the name. */
export class NamesTaken extends Data.TaggedError("NamesTaken")<{ readonly attributes: ReadonlyArray<"name" | "path"> }> {}

const displayName = ({ name, namespaceId }: Place): Name => ({ kind: "project-name", text: `${namespaceId}/${name}` })

/** Every name that a project occupies. */
export const namesOf = (place: Place): ReadonlyArray<Name> => [displayName(place), pathName(place.namespaceId, place.path)]

const heldBy = (state: State): ReadonlyArray<Name> => {
  const project = presentIn(state)
  return project === undefined ? [] : namesOf(placeOf(project))
}

const isAmong = (name: Name, names: ReadonlyArray<Name>): boolean => names.some((other) => Equal.equals(other, name))

/** Every name of the project of a stream. */
export const heldByProject: HeldNames = Effect.fnUntraced(function* (stream: string) {
  const id = projectIdOf(stream)
  return id === undefined ? [] : heldBy((yield* load(projectAggregate, id)).state)
})

/** Whether the group, or the user, of a namespace is there, as the log stands. */
export const isNamespace = ({ namespaceId, ownerId }: { readonly namespaceId: number; readonly ownerId: number | null }) =>
  Effect.map(
    ownerId === null ? groupPathName(groupStream(namespaceId)) : usernameName(userStream(ownerId)),
    (name) => name !== undefined
  )

/** Gives back those of the names that the project does not hold, as the log stands now. */
export const releaseUnheld = Effect.fnUntraced(function* (names: ReadonlyArray<Name>, id: number) {
  if (names.length === 0) return
  const isHeld = (name: Name) => Effect.map(load(projectAggregate, id), ({ state }) => isAmong(name, heldBy(state)))
  yield* Effect.forEach(names, (name) => release(name, projectStream(id), isHeld(name)), { discard: true })
}, spanned("projects.releaseUnheld"))

const attributeOf = ({ kind }: Name): "name" | "path" => (kind === "path" ? "path" : "name")

/** Whether something else holds the name, or has only reserved it yet. */
const availabilityOf = Effect.fnUntraced(function* (name: Name, id: number) {
  const owner = yield* ownerOf(name)
  if (owner === undefined || owner === projectStream(id)) return "free"
  const { holds } = yield* NameHolders
  return (yield* holds(name)(owner)) ? "held" : "reserved"
})

/** Between reservation and creation are a few writes; what takes longer is taken. */
const settling = Schedule.spaced("10 millis").pipe(Schedule.upTo({ duration: "2 seconds" }))

/**
 * The attributes whose names something else has. Who was faster is waited for, so that who comes at the same time is told the same as who
 * comes later.
 */
const lostAttributes = Effect.fnUntraced(function* (names: ReadonlyArray<Name>, id: number) {
  const settled = (name: Name) =>
    availabilityOf(name, id).pipe(Effect.repeat({ while: (availability) => availability === "reserved", schedule: settling }))
  // One after the other, as they are reserved: whoever holds the first by now has the others too.
  const availabilities = yield* Effect.forEach(names, settled)
  return names.filter((_, index) => availabilities[index] !== "free").map(attributeOf)
})

const reserveAll = Effect.fnUntraced(function* (names: ReadonlyArray<Name>, id: number) {
  const { holds } = yield* NameHolders
  const reserved = Effect.forEach(names, (name) => reserve(name, projectStream(id), holds(name)))
  const fences = yield* Effect.catchTag(
    reserved,
    "NameTaken",
    Effect.fnUntraced(function* ({ name }) {
      yield* releaseUnheld(names, id)
      const attributes = yield* lostAttributes(names, id)
      return yield* new NamesTaken({ attributes: attributes.length === 0 ? [attributeOf(name)] : attributes })
    })
  )
  return fences.flat()
}, spanned("projects.reserveNames"))

/**
 * Reserves all of these names for a project; fails with all that are taken, and keeps none that it does not hold. Answers what guards the
 * command that gives them.
 */
export const reserveNames = (names: ReadonlyArray<Name>, id: number) => guardOf(reserveAll(names, id))

/** The names that are in the first list only. */
export const namesWithout = (names: ReadonlyArray<Name>, without: ReadonlyArray<Name>): ReadonlyArray<Name> =>
  names.filter((name) => !isAmong(name, without))
