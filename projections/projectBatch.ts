import { Result } from "effect"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { ChangeFolder, type FoldedChanges } from "./foldChanges.ts"
import type { Change, Projection, ReadModel } from "./ReadModel.ts"

/** The first event of a stream that a read model could not take; from it on the stream is left out. */
export interface PoisonEvent {
  readonly readModel: string
  readonly event: RecordedEvent
  readonly error: string
}

export interface Projected {
  readonly changes: FoldedChanges
  readonly poison: ReadonlyArray<PoisonEvent>
}

/** Which projections of a read model want an event of this type. */
export const projectionsByType = (readModel: ReadModel): ReadonlyMap<string, ReadonlyArray<Projection>> => {
  const byType = new Map<string, ReadonlyArray<Projection>>()
  for (const projection of readModel.projections) {
    for (const type of projection.types) byType.set(type, [...(byType.get(type) ?? []), projection])
  }
  return byType
}

const describe = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))

const changesOf = (
  projections: ReadonlyArray<Projection>,
  event: RecordedEvent
): Result.Result<ReadonlyArray<Change>, unknown> => {
  const changes: Array<Change> = []
  for (const { project } of projections) {
    const projected = Result.flatMap(
      Result.try(() => project(event)),
      (inner) => inner
    )
    if (Result.isFailure(projected)) return Result.fail(projected.failure)
    changes.push(...projected.success)
  }
  return Result.succeed(changes)
}

/** Folds a batch of events into changes of one read model, and does nothing else. Streams in `parked` are left out. Pauses after each event. */
export function* projecting(
  readModel: ReadModel,
  byType: ReadonlyMap<string, ReadonlyArray<Projection>>,
  events: ReadonlyArray<RecordedEvent>,
  parked: ReadonlySet<string>
): Generator<void, Projected, void> {
  const folder = new ChangeFolder(readModel.tables)
  const poison = new Map<string, PoisonEvent>()
  for (const event of events) {
    const projections = byType.get(event.type)
    if (projections === undefined || parked.has(event.stream) || poison.has(event.stream)) continue
    const changes = changesOf(projections, event)
    if (Result.isFailure(changes)) {
      poison.set(event.stream, { readModel: readModel.name, event, error: describe(changes.failure) })
    } else {
      for (const change of changes.success) folder.add(change)
    }
    yield
  }
  return { changes: folder.folded, poison: [...poison.values()] }
}
