import { Clock, Effect } from "effect"
import { EventStore } from "../../platform/eventStore/EventStore.ts"
import { attempt, Sql } from "../../platform/sql/Sql.ts"
import { checked, type Finding, fail, ok, warn } from "./Finding.ts"

/** A read model as this code has it. */
export interface KnownReadModel {
  readonly name: string
  readonly version: number
}

interface ReadModelRow {
  readonly name: string
  readonly version: number
  readonly position: number
}

interface ParkedRow {
  readonly read_model: string
  readonly stream: string
  readonly revision: number
  readonly type: string
  readonly error: string
  readonly code_version: string
}

/** The finding lists at most this many parked streams. */
const maxListed = 20
/** The lag is counted in positions. */
const maxLag = 10_000
/** Events are shown within moments; one that waits for longer is stuck, however few there are. */
const maxWaitSeconds = 60

const nameOf = (readModel: string): string => `read model ${readModel}`

/** Where the log ends, and since how many seconds the first event behind a position is there. */
interface Log {
  readonly head: number
  readonly waitAt: ReadonlyMap<number, number>
}

const stateOf = ({ name, version }: KnownReadModel, row: ReadModelRow | undefined, { head, waitAt }: Log): Finding => {
  if (row === undefined) return warn(nameOf(name), "not made yet", "the next start of the service fills it")
  if (row.version > version) {
    const detail = `made by version ${row.version}, which is newer than this code's, ${version}`
    return fail(nameOf(name), detail, "start the version that made it")
  }
  if (row.version < version) {
    const detail = `made by version ${row.version}, this code has version ${version}`
    return warn(nameOf(name), detail, "the next start of the service fills it anew")
  }
  const lag = head - row.position
  if (lag < 0)
    return fail(nameOf(name), `${-lag} ahead of the log, which was cut`, "run verify, and restore the log from a backup")
  const wait = waitAt.get(row.position) ?? 0
  if (wait > maxWaitSeconds) return warn(nameOf(name), `lags by ${lag}, for ${wait} seconds`, "start the service, or see its log")
  if (lag > maxLag) return warn(nameOf(name), `lags by ${lag}`, "start the service, or see its log")
  return ok(nameOf(name), lag === 0 ? "level with the log" : `lags by ${lag}`)
}

const parkedFinding = ({ code_version, error, read_model, revision, stream, type }: ParkedRow): Finding =>
  fail(
    nameOf(read_model),
    `${stream} is parked at revision ${revision} (${type}, version ${code_version}): ${error.split("\n", 1)[0] ?? ""}`,
    "mend the cause and start the service again, which retries it"
  )

/** Since how many seconds there is an event that a read model at this position does not show. */
const waitBehind = Effect.fnUntraced(function* (position: number) {
  const [first] = yield* EventStore.use((store) => store.readAll(position, 1))
  const now = yield* Clock.currentTimeMillis
  return [position, first === undefined ? 0 : Math.floor((now - first.at) / 1000)] as const
})

/** How far each read model is, and which streams it could not project. */
export const checkReadModels = (known: ReadonlyArray<KnownReadModel>) =>
  checked(
    "read models",
    "see the log of the service",
    Effect.gen(function* () {
      const { client } = yield* Sql
      const head = yield* EventStore.use((store) => store.head)
      const rows = yield* attempt(
        () => client<Array<ReadModelRow>>`select name, version, position from chronoforge.read_models where generation = 'live'`
      )
      const parked = yield* attempt(
        () => client<Array<ParkedRow>>`
          select read_model, stream, revision, type, error, code_version from chronoforge.parked_streams
          where generation = 'live' order by position limit ${maxListed}`
      )
      const behind = new Set(rows.map(({ position }) => position).filter((position) => position < head))
      const log: Log = { head, waitAt: new Map(yield* Effect.forEach(behind, waitBehind)) }
      const states = known.map((readModel) =>
        stateOf(
          readModel,
          rows.find(({ name }) => name === readModel.name),
          log
        )
      )
      return [...states, ...parked.map(parkedFinding)]
    })
  )
