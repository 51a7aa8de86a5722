import { Effect } from "effect"
import { AppConfig, redacted } from "../../config.ts"
import type { MergeRequestKey } from "../../mergeRequests/ids.ts"
import { discussionStream } from "../../notes/ids.ts"
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

/** A page of streams: so many, behind a number of others. */
export interface Page {
  readonly offset: number
  readonly limit: number
}

/** Whether the log can be asked which streams there are: the one in Postgres can. */
const listsStreams = Effect.map(AppConfig, ({ eventStoreUrl }) => (redacted(eventStoreUrl) ?? "") === "")

/** The streams in the log that begin with a text, in the order in which they began. */
const streamsBehind = Effect.fnUntraced(function* (prefix: string, { limit, offset }: Page) {
  const { client } = yield* Sql
  const [from, to] = [prefix, `${prefix}~`]
  const range = (yield* sortsByBytes) ? client`stream >= ${from} and stream < ${to}` : client`starts_with(stream, ${from})`
  const found = yield* query(
    () => client<Array<{ stream: string }>>`
      select stream from chronoforge.events
      where revision = 0 and ${range} order by position limit ${limit} offset ${offset}`
  )
  return found.map(({ stream }) => stream)
})

/**
 * The streams of the slots of a schedule, in the order in which they began. A log in Postgres is asked itself, and so knows those of deleted
 * schedules too; otherwise the read model is.
 */
export const slotStreams = Effect.fn("cli.slotStreams")(function* (scheduleId: number, page: Page) {
  if (yield* listsStreams) return yield* streamsBehind(`scheduleSlot-${scheduleId}-`, page)
  const { client } = yield* Sql
  const rows = yield* query(
    () => client<Array<{ at: number }>>`
      select at from rm_schedules.slots where schedule_id = ${scheduleId} order by noted_at, at limit ${page.limit} offset ${page.offset}`
  )
  return rows.map(({ at }) => slotStream({ scheduleId, at }))
})

/** The streams of the discussions of a merge request, in the order in which they began, of deleted ones where the log is in Postgres. */
export const discussionStreams = Effect.fn("cli.discussionStreams")(function* (key: MergeRequestKey, page: Page) {
  const { iid, projectId } = key
  if (yield* listsStreams) return yield* streamsBehind(`discussion-mergeRequest-${projectId}-${iid}-`, page)
  const { client } = yield* Sql
  const rows = yield* query(
    () => client<Array<{ rootId: number }>>`
      select distinct root_id as "rootId" from rm_notes.notes
      where project_id = ${projectId} and noteable_type = 'mergeRequest' and iid = ${iid} and root_id is not null
      order by root_id limit ${page.limit} offset ${page.offset}`
  )
  return rows.map(({ rootId }) => discussionStream({ type: "mergeRequest", projectId, iid, rootId }))
})
