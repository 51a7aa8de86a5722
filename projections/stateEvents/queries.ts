import { Effect, Layer } from "effect"
import { type Resource, StateEventQueries, type StateEventRow } from "#src/issuables/stateEvents/Queries.ts"
import { type Fragment, raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import { type Client, Sql } from "#src/platform/sql/Sql.ts"
import { type Listing, selectListed } from "../selectListed.ts"

/** The merge request that was merged as planned by the commit by which this one came into the target branch too. */
const twin = raw(`(
  select m.id from rm_merge_requests.merge_requests m
  join rm_state_events.state_events p on p.type = 'MergeRequest' and p.project_id = m.project_id and p.iid = m.iid
    and p.state = 'merged' and p.merged_as is null
  where m.project_id = e.project_id and m.state = 'merged' and coalesce(m.merge_sha, m.squash_sha, m.sha) = e.merged_as
  order by m.id limit 1)`)

const columns = raw(`e.id, e.created_at, e.state, e.source_commit,
  (select json_build_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state)
    from rm_users.users u where u.id = e.user_id) as user`)

const shown = (found: Fragment): Fragment => sql`
  select s.id, s.user, s.created_at, s.state, s.source_merge_request_id,
    case when s.source_merge_request_id is null then s.source_commit end as source_commit
  from (select ${columns}, coalesce(e.source_merge_request_id, ${twin}) as source_merge_request_id from (${found}) e) s`

const isOf = ({ iid, projectId, type }: Resource): Fragment =>
  sql`e.type = ${type} and e.project_id = ${projectId} and e.iid = ${iid}`

const listing = (resource: Resource): Listing => {
  const found = sql`select e.* from rm_state_events.state_events e where ${isOf(resource)}`
  return { rows: (page) => sql`${shown(sql`${found} order by e.id ${slice(page)}`)} order by s.id`, counted: found }
}

const queriesOf = (client: Client): StateEventQueries["Service"] => ({
  list: (resource, page) => selectListed<StateEventRow>(client, listing(resource), page),
  find: (resource, id) =>
    Effect.map(
      select<StateEventRow>(
        client,
        shown(sql`select e.* from rm_state_events.state_events e where e.id = ${id} and ${isOf(resource)}`)
      ),
      ([found]): StateEventRow | undefined => found
    )
})

/** Answers questions about changes of states from Postgres. */
export const stateEventQueries: Layer.Layer<StateEventQueries, never, Sql> = Layer.effect(
  StateEventQueries,
  Effect.map(Sql, ({ client }) => queriesOf(client))
)
