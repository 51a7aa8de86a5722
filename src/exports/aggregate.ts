import { Data, Result } from "effect"
import type { Aggregate } from "../platform/Aggregate.ts"
import { ExportEvent, type ExportedFile, exportCodec } from "./events.ts"
import { exportStream } from "./ids.ts"
import { batchSize, isBatchable, relations } from "./relations.ts"

export interface RelationState {
  readonly isBatched: boolean
  /** How many records it has; 0 until they are taken. */
  readonly objects: number
  /** How many of its batches are over, the failed ones too. */
  readonly batches: number
  /** Why the first of its batches failed that did; null where none did. */
  readonly batchError: string | null
  readonly status: "started" | "exported" | "failed"
}

/** An export of all relations of a project. */
export interface Export {
  /** Among those of its project, from 1. */
  readonly number: number
  readonly isBatched: boolean
  readonly relations: ReadonlyMap<string, RelationState>
  /** Where in the log its records were taken; null before. */
  readonly position: number | null
  /** When nothing of it was under way any more, in milliseconds since 1970; null while something is. */
  readonly finishedAt: number | null
  /** Whether its files are gone. */
  readonly isExpired: boolean
}

/** The last export of a project; undefined before the first one. */
export type State = Export | undefined

/** What a worker tells of an export. */
type Told =
  | { readonly _tag: "Take"; readonly position: number; readonly objects: ReadonlyMap<string, number> }
  | { readonly _tag: "FinishBatch"; readonly relation: string; readonly batch: number; readonly file: ExportedFile }
  | { readonly _tag: "FailBatch"; readonly relation: string; readonly batch: number; readonly error: string }
  | { readonly _tag: "FinishRelation"; readonly relation: string; readonly file: ExportedFile }
  | { readonly _tag: "FailRelation"; readonly relation: string; readonly error: string }
  /** All that is still under way fails. */
  | { readonly _tag: "FailAll"; readonly error: string }
  | { readonly _tag: "Expire" }

/** `now` is in milliseconds since 1970. */
export type Command =
  | { readonly _tag: "Request"; readonly by: number; readonly isBatched: boolean; readonly now: number }
  | (Told & { readonly number: number; readonly now: number })

/** Another export has taken its place, or it is over. */
export class ExportOver extends Data.TaggedError("ExportOver") {}

type Events = ReadonlyArray<ExportEvent>
type Decision = Result.Result<Events, ExportOver>

const { cases } = ExportEvent
const nothing: Decision = Result.succeed([])

/** An export that is not in batches is not made again for so many milliseconds. */
const freshMillis = 3 * 60_000

const hasFailed = ({ relations: each }: Export): boolean => [...each.values()].some(({ status }) => status === "failed")

const isFresh = (last: Export, now: number): boolean =>
  last.finishedAt !== null && now - last.finishedAt < freshMillis && !last.isBatched && !last.isExpired && !hasFailed(last)

const request = ({ by, isBatched, now }: Extract<Command, { readonly _tag: "Request" }>, last: State): Decision => {
  if (last !== undefined && !isBatched && isFresh(last, now)) return nothing
  const asked = relations.map(({ name }) => ({ name, isBatched: isBatched && isBatchable(name) }))
  return Result.succeed([cases.ExportRequested.make({ number: (last?.number ?? 0) + 1, by, isBatched, relations: asked })])
}

/** How many batches a relation comes in. */
export const batchesOf = ({ isBatched, objects }: Pick<RelationState, "isBatched" | "objects">): number =>
  isBatched ? Math.ceil(objects / batchSize) : 0

/** What is to be done next for an export; undefined when it is over, or its records are not taken yet. */
export const nextPiece = ({ position, relations: each }: Export) => {
  if (position === null) return undefined
  for (const [relation, state] of each) {
    if (state.status !== "started") continue
    const { batches, isBatched, objects } = state
    if (!isBatched) return { relation, batch: undefined, first: 1, last: objects }
    return { relation, batch: batches + 1, first: batches * batchSize + 1, last: Math.min(objects, (batches + 1) * batchSize) }
  }
  return undefined
}
export type Piece = NonNullable<ReturnType<typeof nextPiece>>

/** The events with those that follow from them: a relation is over with its last batch, and the export with its last relation. */
const concluding = (current: Export, events: Events, now: number): Decision => {
  const { number } = current
  const after = events.reduce(evolve, current) ?? current
  const ended = [...after.relations].flatMap(([relation, state]): Events => {
    const isDone = state.status === "started" && state.isBatched && state.batches === batchesOf(state)
    if (!isDone) return []
    return [
      state.batchError === null
        ? cases.RelationExported.make({ number, relation, file: null })
        : cases.RelationFailed.make({ number, relation, error: state.batchError })
    ]
  })
  const last = ended.reduce(evolve, after) ?? after
  const isOver = [...last.relations.values()].every(({ status }) => status !== "started")
  return Result.succeed([...events, ...ended, ...(isOver ? [cases.ExportFinished.make({ number, at: now })] : [])])
}

/** What was told already changes nothing; only the batch that comes next is taken. */
const batchOver = (current: Export, relation: string, batch: number, event: ExportEvent, now: number): Decision => {
  const state = current.relations.get(relation)
  if (state?.isBatched !== true || batch > state.batches + 1) return Result.fail(new ExportOver())
  return batch <= state.batches || state.status !== "started" ? nothing : concluding(current, [event], now)
}

/** A relation in batches is over with them. */
const relationOver = (current: Export, relation: string, event: ExportEvent, now: number): Decision => {
  const state = current.relations.get(relation)
  if (state === undefined || state.isBatched) return Result.fail(new ExportOver())
  return state.status === "started" ? concluding(current, [event], now) : nothing
}

const objectsIn = (current: Export, relation: string, batch: number): number =>
  Math.min(batchSize, (current.relations.get(relation)?.objects ?? 0) - (batch - 1) * batchSize)

const take = (current: Export, { now, objects, position }: Extract<Command, { readonly _tag: "Take" }>): Decision => {
  if (current.position !== null) return nothing
  const taken = [...current.relations.keys()].map((name) => ({ name, objects: objects.get(name) ?? 0 }))
  return concluding(current, [cases.RelationsTaken.make({ number: current.number, position, relations: taken })], now)
}

const failAll = (current: Export, error: string, now: number): Decision => {
  const { number } = current
  const started = [...current.relations].filter(([, { status }]) => status === "started")
  return concluding(
    current,
    started.map(([relation]) => cases.RelationFailed.make({ number, relation, error })),
    now
  )
}

const tell = (command: Exclude<Command, { readonly _tag: "Request" | "Expire" }>, current: Export): Decision => {
  const { now, number } = command
  if (command._tag !== "Take" && command._tag !== "FailAll" && current.position === null) return Result.fail(new ExportOver())
  switch (command._tag) {
    case "Take":
      return take(current, command)
    case "FinishBatch": {
      const { batch, file, relation } = command
      const event = cases.BatchExported.make({ number, relation, batch, objects: objectsIn(current, relation, batch), file })
      return batchOver(current, relation, batch, event, now)
    }
    case "FailBatch": {
      const { batch, error, relation } = command
      return batchOver(current, relation, batch, cases.BatchFailed.make({ number, relation, batch, error }), now)
    }
    case "FinishRelation": {
      const { file, relation } = command
      return relationOver(current, relation, cases.RelationExported.make({ number, relation, file }), now)
    }
    case "FailRelation": {
      const { error, relation } = command
      return relationOver(current, relation, cases.RelationFailed.make({ number, relation, error }), now)
    }
    case "FailAll":
      return failAll(current, command.error, now)
  }
}

const expire = (current: Export): Decision => {
  if (current.finishedAt === null) return Result.fail(new ExportOver())
  return current.isExpired ? nothing : Result.succeed([cases.ExportExpired.make({ number: current.number })])
}

const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Request") return request(command, state)
  if (state === undefined || state.number !== command.number) return Result.fail(new ExportOver())
  if (command._tag === "Expire") return expire(state)
  return state.finishedAt === null ? tell(command, state) : Result.fail(new ExportOver())
}

const started: RelationState = { isBatched: false, objects: 0, batches: 0, batchError: null, status: "started" }

const requested = ({
  isBatched,
  number,
  relations: asked
}: Extract<ExportEvent, { readonly _tag: "ExportRequested" }>): Export => ({
  number,
  isBatched,
  relations: new Map(asked.map(({ isBatched: inBatches, name }) => [name, { ...started, isBatched: inBatches }])),
  position: null,
  finishedAt: null,
  isExpired: false
})

const evolve = (state: State, event: ExportEvent): State => {
  if (event._tag === "ExportRequested") return requested(event)
  if (state === undefined || state.number !== event.number) return state
  const changed = (relation: string, change: (before: RelationState) => Partial<RelationState>): Export => {
    const before = state.relations.get(relation)
    if (before === undefined) return state
    return { ...state, relations: new Map(state.relations).set(relation, { ...before, ...change(before) }) }
  }
  return ExportEvent.match(event, {
    ExportRequested: requested,
    RelationsTaken: ({ position, relations: taken }) => {
      const objects = new Map(taken.map((each) => [each.name, each.objects]))
      const each = [...state.relations].map(([name, before]) => [name, { ...before, objects: objects.get(name) ?? 0 }] as const)
      return { ...state, position, relations: new Map(each) }
    },
    BatchExported: ({ batch, relation }) => changed(relation, () => ({ batches: batch })),
    BatchFailed: ({ batch, error, relation }) =>
      changed(relation, ({ batchError }) => ({ batches: batch, batchError: batchError ?? error })),
    RelationExported: ({ relation }) => changed(relation, () => ({ status: "exported" })),
    RelationFailed: ({ relation }) => changed(relation, () => ({ status: "failed" })),
    ExportFinished: ({ at }) => ({ ...state, finishedAt: at }),
    ExportExpired: () => ({ ...state, isExpired: true })
  })
}

/** What is exported of a project, by its id: one export at a time. */
export const exportAggregate: Aggregate<number, Command, State, ExportEvent, ExportOver> = {
  initial: undefined,
  decide,
  evolve,
  codec: exportCodec,
  stream: exportStream
}
