import { Effect, Stream } from "effect"
import { type IdKind, nextIds } from "../../platform/Ids.ts"
import type { Past } from "../../platform/recordPast.ts"

/** The users in whose name things are told. */
export interface People {
  /** The user who stands for one of the export, by the id there; for null and for those whom nobody stands for, the user who imports. */
  readonly of: (id: number | null) => number
}

/** `known`: who stands for whom, by their ids here and there. */
export const peopleOf = (known: ReadonlyMap<number, number>, importerId: number): People => ({
  of: (id) => (id === null ? importerId : (known.get(id) ?? importerId))
})

/** Things of a project that have numbers there. */
export const numberedKinds = ["issue", "merge_request", "project_milestone", "pipeline"] as const
export type NumberedKind = (typeof numberedKinds)[number]

/** What is known of a merge request that was imported. */
export interface ImportedRequest {
  readonly id: number
  readonly versionId: number
  readonly baseSha: string
  readonly sourceProjectId: number
  readonly isOpen: boolean
  /** Whether it comes without its version, of whose commits the repository lacks some. */
  readonly lacksCommits: boolean
}

/** How many there were of what is not kept. */
export interface Losses {
  /** Open merge requests that were set to merge automatically. */
  autoMerges: number
  /** Jobs that start pipelines elsewhere. */
  triggerJobs: number
}

/** An import under way: where it goes, and what it has brought so far. */
export interface Import {
  readonly projectId: number
  /** The full path of the project, such as `group/project`. */
  readonly projectPath: string
  readonly people: People
  /** The ids of the labels that came, or that groups above had, by their titles. */
  readonly labels: Map<string, number>
  /** The same of milestones, by what `keysOfMilestone` makes of them. */
  readonly milestones: Map<string, number>
  /** By their numbers. */
  readonly mergeRequests: Map<number, ImportedRequest>
  readonly lost: Losses
  /** The highest numbers that are taken. */
  readonly highest: Record<NumberedKind, number>
  /** Is told how far the repository has come. */
  readonly onPercent: (percent: number) => void
  /** Is called for each record that has come. */
  readonly onRecord: () => void
}

/** So many records of a relation are read at a time, and so many of them written at once. */
const [chunkSize, concurrency] = [100, 16]

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

/** What is done with the records of a relation. */
interface Bringing<T, E, R, PE, PR> {
  /** The kind of ids that they get, in their order. */
  readonly kind: IdKind
  /** Makes what they have in common, before any of them. */
  readonly prepare?: (records: ReadonlyArray<T>) => Effect.Effect<void, PE, PR>
  readonly bring: (id: number, record: T) => Effect.Effect<void, E, R>
}

/** Brings records, many at a time. */
export const bringAll = <T, F, E, R, PE = never, PR = never>(
  records: Stream.Stream<T, F>,
  { bring, kind, prepare = () => Effect.void }: Bringing<T, E, R, PE, PR>
) =>
  records.pipe(
    Stream.grouped(chunkSize),
    Stream.runForEach(
      Effect.fnUntraced(function* (chunk) {
        yield* prepare(chunk)
        const ids = yield* nextIds(kind, chunk.length)
        yield* each(chunk.entries(), ([index, record]) => bring(ids[index] ?? 0, record))
      })
    )
  )
