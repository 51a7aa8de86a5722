import { Effect } from "effect"
import { notFound } from "../../http/answer/errors.ts"
import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { userReference } from "../../http/answer/shapes.ts"
import { type Resource, StateEventQueries, type StateEventRow } from "./Queries.ts"
import type { StateEvent } from "./shapes.ts"

/** Something that the caller may see, and where it is shown. */
export interface Shown extends Resource {
  readonly id: number
  readonly externalUrl: string
}

const present = (row: StateEventRow, { externalUrl, id, type }: Shown): typeof StateEvent.Type => ({
  id: row.id,
  user: row.user && userReference(row.user, externalUrl),
  created_at: isoMillis(row.created_at),
  resource_type: type,
  resource_id: id,
  source_commit: row.source_commit,
  source_merge_request_id: row.source_merge_request_id,
  state: row.state
})

/** A page of the changes of a state, the oldest first. */
export const listStateEvents = Effect.fnUntraced(function* (shown: Shown, parameters: Parameters<typeof pageOf>[0]) {
  const { extent, rows } = yield* StateEventQueries.use((events) => events.list(shown, pageOf(parameters)))
  return page(
    rows.map((row) => present(row, shown)),
    extent
  )
})

/** One change of a state. */
export const readStateEvent = Effect.fnUntraced(function* (shown: Shown, id: number | null) {
  const row = id === null ? undefined : yield* StateEventQueries.use((events) => events.find(shown, id))
  return row === undefined ? yield* notFound : ok(present(row, shown))
})
