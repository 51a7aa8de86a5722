import { Effect } from "effect"
import type { Past } from "../../platform/recordPast.ts"

/** The users in whose name things are told: those of the export by their ids there. */
export interface People {
  /** The user who stands for one of the export; null or nobody known is the user who imports. */
  readonly of: (id: number | null) => number
  /** Those of the export for whom nobody stands, by their ids there. */
  readonly strangers: ReadonlySet<number>
}

/** `keepsIds`: the export is of this installation, so an id means the same user. */
export const peopleOf = (known: ReadonlyMap<number, number>, importerId: number): People => {
  const strangers = new Set<number>()
  return {
    of: (id) => {
      const user = id === null ? importerId : known.get(id)
      if (user === undefined && id !== null) strangers.add(id)
      return user ?? importerId
    },
    strangers
  }
}

/** What is known of a merge request that was imported. */
export interface ImportedRequest {
  readonly id: number
  readonly versionId: number
  readonly baseSha: string
  readonly sourceProjectId: number
}

/** An import under way: where it goes, and what it has brought so far. */
export interface Import {
  readonly projectId: number
  /** The full path of the project, such as `group/project`. */
  readonly projectPath: string
  readonly people: People
  /** The ids of labels and milestones that came, by what `keyOf...` makes of them. */
  readonly labels: Map<string, number>
  readonly milestones: Map<string, number>
  /** By their numbers. */
  readonly mergeRequests: Map<number, ImportedRequest>
  /** Is called for each record that has come. */
  readonly onRecord: () => void
}

/** So many records of a relation are read at a time, and so many of them written at once. */
export const chunkSize = 100
export const concurrency = 16

/** Does something for each of several things, many at once. */
export const each = <A, B, E, R>(things: Iterable<A>, work: (thing: A) => Effect.Effect<B, E, R>) =>
  Effect.forEach(things, work, { concurrency, discard: true })

/** In the order of their times; nothing was before the first. */
export const inOrder = <Event>([first, ...others]: readonly [Past<Event>, ...ReadonlyArray<Past<Event>>]): ReadonlyArray<
  Past<Event>
> => [
  first,
  ...others.map((past) => ({ ...past, at: Math.max(past.at, first.at) })).toSorted((some, other) => some.at - other.at)
]

/** What happened, and that something else, of which nothing is known, happened later, where it did. */
export const untilChanged = <Event>(
  happened: ReadonlyArray<Past<Event>>,
  changed: NoInfer<Event>,
  at: number
): ReadonlyArray<Past<Event>> => {
  const last = happened.at(-1)
  return last === undefined || last.at === at ? happened : [...happened, { event: changed, at, by: last.by }]
}
