import { Effect } from "effect"
import { AppConfig, redacted } from "../../config.ts"
import { query, Sql } from "../../platform/sql/Sql.ts"
import { slotStream } from "../../schedules/slots/ids.ts"

/** Whether the index of streams has all of one prefix in one place. */
const sortsByBytes = Effect.flatMap(Sql, ({ client }) =>
  Effect.map(
    query(
      () => client<Array<{ bytes: boolean }>>`
        select datcollate in ('C', 'POSIX') as bytes from pg_database where datname = current_database()`
    ),
    ([row]) => row?.bytes === true
  )
)

const prefix = (scheduleId: number): string => `scheduleSlot-${scheduleId}-`

/**
 * The streams of the slots of a schedule, in the order in which they began: a page of them, behind a number of others. A log in Postgres is asked itself, and so knows those of deleted
 * schedules too; otherwise the read model is.
 */
export const slotStreams = Effect.fn("cli.slotStreams")(function* (scheduleId: number, offset: number, limit: number) {
  const { client } = yield* Sql
  const { eventStoreUrl } = yield* AppConfig
  if ((redacted(eventStoreUrl) ?? "") === "") {
    const [from, to] = [prefix(scheduleId), `${prefix(scheduleId)}~`]
    const range = (yield* sortsByBytes) ? client`stream >= ${from} and stream < ${to}` : client`starts_with(stream, ${from})`
    const found = yield* query(
      () => client<Array<{ stream: string }>>`
        select stream from chronoforge.events
        where revision = 0 and ${range} order by position limit ${limit} offset ${offset}`
    )
    return found.map(({ stream }) => stream)
  }
  const rows = yield* query(
    () => client<Array<{ at: number }>>`
      select at from rm_schedules.slots where schedule_id = ${scheduleId} order by noted_at, at limit ${limit} offset ${offset}`
  )
  return rows.map(({ at }) => slotStream({ scheduleId, at }))
})
