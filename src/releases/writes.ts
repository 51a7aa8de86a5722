import { Array as Arrays, Effect } from "effect"
import { handle, history } from "../platform/Commands.ts"
import { nextId, nextIds } from "../platform/Ids.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { changes } from "../platform/repeats.ts"
import { type Changes, type NewRelease, releaseAggregate, type State } from "./aggregate.ts"
import type { Link } from "./events.ts"
import type { ReleaseKey } from "./ids.ts"

export type NewLink = Omit<Link, "id">

/** A release before it has ids. */
export interface Draft extends Omit<NewRelease, "id" | "links"> {
  readonly links: ReadonlyArray<NewLink>
}

/** Creates the release of a tag that `make` judges and makes ready. */
export const createRelease = <E, R>(key: ReleaseKey, by: number, make: Effect.Effect<Draft, E, R>) => {
  const create = Effect.gen(function* () {
    const draft = yield* make
    const id = yield* nextId("release")
    const linkIds = draft.links.length === 0 ? [] : yield* nextIds("release_link", draft.links.length)
    const links = Arrays.zip(linkIds, draft.links).map(([linkId, link]) => ({ id: linkId, ...link }))
    return yield* handle(releaseAggregate, key, { _tag: "Create", by, release: { ...draft, id, links } })
  })
  return spanned("releases.create")(changes(releaseAggregate, key, create))
}

export const changeRelease = (key: ReleaseKey, by: number, wanted: Changes) =>
  spanned("releases.change")(handle(releaseAggregate, key, { _tag: "Change", by, changes: wanted }))

export const deleteRelease = (key: ReleaseKey, by: number) =>
  spanned("releases.delete")(changes(releaseAggregate, key, handle(releaseAggregate, key, { _tag: "Delete", by })))

/** Adds a link; a repeat adds none. */
export const addLink = (key: ReleaseKey, by: number, link: NewLink) => {
  const add = Effect.gen(function* () {
    const id = yield* nextId("release_link")
    return yield* handle(releaseAggregate, key, { _tag: "AddLink", by, link: { id, ...link } })
  })
  return spanned("releases.addLink")(changes(releaseAggregate, key, add))
}

export const changeLink = (key: ReleaseKey, by: number, id: number, wanted: Partial<NewLink>) =>
  spanned("releases.changeLink")(handle(releaseAggregate, key, { _tag: "ChangeLink", by, id, changes: wanted }))

export const removeLink = (key: ReleaseKey, by: number, id: number) =>
  spanned("releases.removeLink")(changes(releaseAggregate, key, handle(releaseAggregate, key, { _tag: "RemoveLink", by, id })))

/** A release as it was before its last event of a type; undefined where there is none. */
export const before = Effect.fnUntraced(function* (key: ReleaseKey, type: "ReleaseDeleted" | "ReleaseLinkRemoved", id?: number) {
  const { events, recorded } = yield* history(releaseAggregate, key)
  const told = Arrays.zip(events, recorded)
  const at = events.findLastIndex((event) => event._tag === type && (id === undefined || ("id" in event && event.id === id)))
  if (at < 0) return undefined
  const state: State = events.slice(0, at).reduce(releaseAggregate.evolve, releaseAggregate.initial)
  const from = events.slice(0, at).findLastIndex(({ _tag }) => _tag === "ReleaseCreated")
  const [first, ...since] = told.slice(Math.max(0, from), at)
  if (state === undefined || first?.[0]._tag !== "ReleaseCreated") return undefined
  const [created, { at: createdAt }] = first
  const evidences = since.flatMap(([event, { at: collected_at, position }]) =>
    event._tag === "EvidenceCollected" ? [{ id: position, sha256: event.sha256, collected_at }] : []
  )
  return { state, by: created.by, sha: created.sha, createdAt, evidences }
})
