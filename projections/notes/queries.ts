import { Effect, Layer } from "effect"
import type { ReadText } from "#src/http/answer/longLists.ts"
import type { Noteable } from "#src/notes/ids.ts"
import {
  type DiscussionRow,
  type ListedNoteRow,
  type NoteFilter,
  NoteQueries,
  type NoteRow,
  type NotesOf
} from "#src/notes/Queries.ts"
import { all, type Fragment, none, raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import { type Client, Sql } from "#src/platform/sql/Sql.ts"
import { type Listing, selectListed } from "../selectListed.ts"
import { shortTexts } from "../shortTexts.ts"

const user = (
  id: string
): string => `(select json_build_object('id', _u.id, 'username', _u.username, 'name', _u.name, 'state', _u.state)
  from rm_users.users _u where _u.id = ${id})`

const among = "in (select jsonb_array_elements_text((n.named->'added') || (n.named->'removed'))::bigint)"

const names = `case when n.named is null then null else (
  select coalesce(json_object_agg(_named.id, _named.name), '{}') from (
    select _u.id, _u.username as name from rm_users.users _u where n.named->>'kind' in ('assignee', 'reviewer') and _u.id ${among}
    union all
    select _l.id, _l.title from rm_labels.labels _l where n.named->>'kind' = 'label' and _l.id ${among}
    union all
    select _m.id, _m.title from rm_milestones.milestones _m where n.named->>'kind' = 'milestone' and _m.id ${among}
  ) _named) end`

const columns =
  raw(`n.named, ${names} as names, n.id, n.discussion_id, n.root_id, n.is_thread, n.is_system, n.is_internal, n.author_id, n.position,
  n.created_at, n.updated_at, n.resolved_at, ${user("n.author_id")} as author, ${user("n.resolved_by_id")} as resolved_by`)

const isOf = ({ iid, projectId, type }: Noteable): Fragment =>
  sql`n.project_id = ${projectId} and n.noteable_type = ${type} and n.iid = ${iid}`

const isSeen = (of: NotesOf): Fragment => all(isOf(of), !of.withInternal && raw("not n.is_internal"))

/** The rows of a page are found first, so that people are only looked for where they are shown. */
const listing = (filter: NoteFilter): Listing => {
  const { by, descending } = filter.order
  const direction = descending ? "desc" : "asc"
  const order = raw(`n.${by} ${direction}, n.id ${direction}`)
  const found = sql`select n.* from rm_notes.notes n where ${all(
    isSeen(filter),
    filter.only !== undefined && sql`n.is_system = ${filter.only === "service"}`
  )}`
  return {
    rows: (page) =>
      sql`select ${columns}, ${shortTexts("n", "body", order)} from (${found} order by ${order} ${slice(page)}) n order by ${order}`,
    counted: found
  }
}

const discussionListing = (of: NotesOf): Listing => {
  const found = sql`select n.discussion_id as id from rm_notes.notes n where ${isSeen(of)} and n.starts`
  return { rows: (page) => sql`${found} order by n.created_at, n.id ${slice(page)}`, counted: found }
}

/** Notes of discussions, one discussion after the other, in each the oldest first. */
const ofDiscussions = (of: NotesOf, ids: ReadonlyArray<string>): Fragment => {
  const order = sql`array_position(${ids}::text[], n.discussion_id), n.created_at, n.id`
  return sql`select ${columns}, ${shortTexts("n", "body", order)} from rm_notes.notes n
    where n.discussion_id = any(${ids}::text[]) and ${isSeen(of)} order by ${order}`
}

const one = (client: Client, condition: Fragment, more = none) =>
  Effect.map(
    select<NoteRow>(client, sql`select ${columns}, n.body from rm_notes.notes n where ${condition} ${more}`),
    ([row]) => row
  )

const queriesOf = ({ client }: Sql["Service"]): NoteQueries["Service"] => ({
  list: (filter, page) => selectListed<ListedNoteRow>(client, listing(filter), page),
  find: (of, id) => one(client, all(sql`n.id = ${id}`, isSeen(of))),
  discussions: Effect.fnUntraced(function* (of, page) {
    const { extent, rows } = yield* selectListed<{ readonly id: string }>(client, discussionListing(of), page)
    const ids = rows.map(({ id }) => id)
    const byId = Map.groupBy(
      ids.length === 0 ? [] : yield* select<ListedNoteRow>(client, ofDiscussions(of, ids)),
      ({ discussion_id }) => discussion_id
    )
    return { extent, rows: ids.map((id): DiscussionRow => ({ id, notes: byId.get(id) ?? [] })) }
  }),
  discussion: (of, id) => select<ListedNoteRow>(client, ofDiscussions(of, [id])),
  firstOf: (of, id) => one(client, all(sql`n.discussion_id = ${id}`, isSeen(of)), sql`order by n.created_at, n.id limit 1`),
  bodiesOf: (ids) =>
    select<ReadText>(client, sql`select n.id, n.body as text from rm_notes.notes n where n.id = any(${ids}::bigint[])`),
  countOf: ({ iid, projectId, type }) =>
    Effect.map(
      select<{ readonly user_notes: number }>(
        client,
        sql`select user_notes from rm_notes.counts where project_id = ${projectId} and noteable_type = ${type} and iid = ${iid}`
      ),
      ([row]) => row?.user_notes ?? 0
    ),
  isAnotherUnresolved: (noteable, id) =>
    Effect.map(
      select(
        client,
        sql`select from rm_notes.notes n where ${isOf(noteable)} and n.is_unresolved and n.discussion_id <> ${id} limit 1`
      ),
      ({ length }) => length > 0
    )
})

/** Answers questions about notes from Postgres. */
export const noteQueries: Layer.Layer<NoteQueries, never, Sql> = Layer.effect(NoteQueries, Effect.map(Sql, queriesOf))
