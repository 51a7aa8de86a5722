import { Effect } from "effect"
import { withPauses } from "#src/kernel/inSlices.ts"
import type { Position, RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { isPostgresError } from "#src/platform/sql/client.ts"
import { attempt, type Client, type SqlError, type Statements, transact } from "#src/platform/sql/Sql.ts"
import { version } from "#src/version.ts"
import { type PoisonEvent, projecting, projectionsByType } from "./projectBatch.ts"
import type { Projection, ReadModel } from "./ReadModel.ts"
import { type Generation, send, type Write, writing } from "./writeChanges.ts"

const reasonOf = (cause: unknown): string => {
  if (isPostgresError(cause) && cause.detail !== undefined) return `${cause.message}: ${cause.detail}`
  return cause instanceof Error ? cause.message : String(cause)
}

/** The database refused the changes of one read model. */
class ChangesRejected extends Error {
  readonly readModel: string
  constructor(readModel: string, cause: unknown) {
    super(reasonOf(cause), { cause })
    this.readModel = readModel
  }
}

/** Bad values (classes 22, 23, 54), as against a database that is busy, broken or going away. */
const isInvalidData = (cause: unknown): boolean => isPostgresError(cause) && /^(22|23|54)/.test(cause.code)

/** Another process moved a checkpoint: this one does not lead any more. */
export class CheckpointMoved extends Error {
  override readonly name = "CheckpointMoved"
}

/** A write, and the read model whose events the database refuses when it refuses the write. */
interface ReadModelWrite {
  readonly write: Write
  readonly readModel?: string
}

interface Prepared {
  readonly writes: ReadonlyArray<ReadModelWrite>
  readonly poison: ReadonlyArray<PoisonEvent>
  readonly parked: number
}

const sendOf = (tx: Statements, { readModel, write }: ReadModelWrite): PromiseLike<unknown> =>
  send(tx, write).catch((cause: unknown) => {
    throw readModel !== undefined && isInvalidData(cause) ? new ChangesRejected(readModel, cause) : cause
  })

const parkingOf = ({ error, event, readModel }: PoisonEvent, generation: Generation): Write => ({
  text: `
    insert into chronoforge.parked_streams
      (read_model, generation, stream, revision, position, event_id, type, error, code_version)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
  values: [readModel, generation, event.stream, event.revision, event.position, event.id, event.type, error, version]
})

const notification = (position: Position, parked: number): Write => ({
  text: "select pg_notify('chronoforge_projected', $1)",
  values: [`${position} ${parked}`]
})

/**
 * All rows are found by keys and indexes. A plan that scans a table, because there was nothing in it when the plan was made, would be used
 * until the server looks at what is there by then.
 */
const begin = "begin; set local enable_seqscan = off"

interface AppliedReadModel {
  readonly readModel: ReadModel
  readonly byType: ReadonlyMap<string, ReadonlyArray<Projection>>
  position: Position
}

/**
 * Applies batches of events to one generation of some read models. Rows and checkpoints commit together, and a checkpoint
 * moves only from where this applier last left it, so each event takes effect once even if two processes believe they lead.
 */
export class Applier {
  readonly #client: Client
  readonly #generation: Generation
  readonly #members: ReadonlyArray<AppliedReadModel>
  #newlyParked: Array<PoisonEvent> = []

  constructor(client: Client, generation: Generation, readModels: ReadonlyArray<readonly [ReadModel, Position]>) {
    this.#client = client
    this.#generation = generation
    this.#members = readModels.map(([readModel, position]) => ({ readModel, position, byType: projectionsByType(readModel) }))
  }

  /** The position of the read model that is furthest behind. */
  get position(): Position {
    return Math.min(...this.#members.map((member) => member.position))
  }

  /** The events because of which streams were parked since this was asked last. */
  takeNewlyParked(): ReadonlyArray<PoisonEvent> {
    const taken = this.#newlyParked
    this.#newlyParked = []
    return taken
  }

  /** Applies events in log order and moves every checkpoint to the last one. Answers how many streams are parked. */
  async apply(events: ReadonlyArray<RecordedEvent>): Promise<number> {
    const last = events.at(-1)
    if (last === undefined) return 0
    try {
      return await this.#commit(events, last.position, [])
    } catch (error) {
      if (!(error instanceof ChangesRejected)) throw error
      return await this.#isolate(events, error)
    }
  }

  /** Finds the event that the database refuses by halving, and parks its stream in every read model that cannot take it. */
  async #isolate(events: ReadonlyArray<RecordedEvent>, error: ChangesRejected): Promise<number> {
    const [only] = events
    if (events.length === 1 && only !== undefined) return await this.#parkRejected(only, [error])
    const middle = events.length >> 1
    await this.apply(events.slice(0, middle))
    return await this.apply(events.slice(middle))
  }

  async #parkRejected(event: RecordedEvent, errors: ReadonlyArray<ChangesRejected>): Promise<number> {
    const poisoned = errors.map(({ message, readModel }) => ({ readModel, event, error: message }))
    try {
      return await this.#commit([event], event.position, poisoned)
    } catch (error) {
      if (!(error instanceof ChangesRejected)) throw error
      return await this.#parkRejected(event, [...errors, error])
    }
  }

  /** The same inside the caller's transaction, without looking for the event that the database refuses: its refusal is thrown. If that transaction does not commit, this applier is of no more use. */
  async applyIn(tx: Statements, events: ReadonlyArray<RecordedEvent>): Promise<void> {
    const last = events.at(-1)
    if (last === undefined) return
    const { poison, writes } = await this.#prepare(tx, events, last.position, [])
    for (const write of writes) await sendOf(tx, write)
    this.#advance(last.position)
    this.#newlyParked.push(...poison)
  }

  async #commit(events: ReadonlyArray<RecordedEvent>, to: Position, poisoned: ReadonlyArray<PoisonEvent>): Promise<number> {
    const { parked, poison } = await transact(
      this.#client,
      (tx) => this.#prepare(tx, events, to, poisoned),
      (tx, { writes }) => writes.map((write) => sendOf(tx, write)),
      begin
    )
    this.#advance(to)
    this.#newlyParked.push(...poison)
    return parked
  }

  #advance(to: Position): void {
    for (const member of this.#members) member.position = Math.max(member.position, to)
  }

  /** Moves the checkpoints, and answers what is to be written and how many streams are parked. */
  async #prepare(
    tx: Statements,
    events: ReadonlyArray<RecordedEvent>,
    to: Position,
    poisoned: ReadonlyArray<PoisonEvent>
  ): Promise<Prepared> {
    // Both are sent together; the second runs when the first has its locks.
    const [, parkedStreams] = await Promise.all([this.#moveCheckpoints(tx, to), this.#parkedStreams(tx)])
    const writes: Array<ReadModelWrite> = []
    const poison: Array<PoisonEvent> = [...poisoned]
    for (const { byType, position, readModel } of this.#members) {
      const unapplied = position < (events[0]?.position ?? 0) ? events : events.filter((event) => event.position > position)
      const parked = new Set(parkedStreams.get(readModel.name))
      for (const each of poisoned) if (each.readModel === readModel.name) parked.add(each.event.stream)
      const projected = await withPauses(projecting(readModel, byType, unapplied, parked))
      poison.push(...projected.poison)
      for (const write of await withPauses(writing(readModel, this.#generation, projected.changes)))
        writes.push({ readModel: readModel.name, write })
    }
    for (const each of poison) writes.push({ write: parkingOf(each, this.#generation) })
    const parked = poison.length + [...parkedStreams.values()].reduce((sum, streams) => sum + streams.size, 0)
    if (this.#generation === "live") writes.push({ write: notification(to, parked) })
    return { writes, poison, parked }
  }

  async #moveCheckpoints(tx: Statements, to: Position): Promise<void> {
    const behind = this.#members.filter((member) => member.position < to)
    const moved = await tx`
      update chronoforge.read_models r set position = ${to}
      from unnest(${behind.map((member) => member.readModel.name)}::text[], ${behind.map((member) => member.position)}::bigint[]) as e (name, position)
      where r.generation = ${this.#generation} and r.name = e.name and r.position = e.position`
    if (moved.count !== behind.length)
      throw new CheckpointMoved(`a checkpoint is not where this process left it (${this.#generation})`)
  }

  async #parkedStreams(tx: Statements): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const rows = await tx<Array<{ read_model: string; streams: ReadonlyArray<string> }>>`
      select read_model, array_agg(stream) as streams from chronoforge.parked_streams
      where generation = ${this.#generation} group by read_model`
    return new Map(rows.map((row) => [row.read_model, new Set(row.streams)]))
  }
}

/** Of the streams that are parked at once, at most this many are named in the log of the service. */
const maxLogged = 20

const logNewlyParked = (applier: Applier) =>
  Effect.suspend(() => {
    const parked = applier.takeNewlyParked()
    const more = parked.length - maxLogged
    const warnings = parked
      .slice(0, maxLogged)
      .map(({ error, event, readModel }) =>
        Effect.logWarning(
          `${event.stream} is parked at revision ${event.revision} (${event.type}) in the read model ${readModel}: ${error}`
        )
      )
    return Effect.all([...warnings, ...(more > 0 ? [Effect.logWarning(`${more} more streams are parked`)] : [])], {
      discard: true
    })
  })

/** Has an applier do something, and warns of the streams that it parked meanwhile, also where it failed then. */
export const applying = <A>(applier: Applier, apply: (applier: Applier) => Promise<A>): Effect.Effect<A, SqlError> =>
  Effect.ensuring(
    attempt(() => apply(applier)),
    logNewlyParked(applier)
  )
