import { Effect, Layer } from "effect"
import type { UserReferenceRow } from "#src/http/answer/shapes.ts"
import { ParticipationQueries, type ReviewerRow } from "#src/mergeRequests/participation/Queries.ts"
import type { MergeRequestRow } from "#src/mergeRequests/Queries.ts"
import { type Fragment, raw, rowsOf, slice, sql } from "#src/platform/sql/fragment.ts"
import { lookupAll } from "#src/platform/sql/lookup.ts"
import { type Client, Sql } from "#src/platform/sql/Sql.ts"
import { type Listing, selectListed } from "../selectListed.ts"
import { referenceTo } from "../users/references.ts"

type Key = Pick<MergeRequestRow, "iid" | "project_id">
/** The columns of an outer query that have a key. */
interface Columns {
  readonly iid: Fragment
  readonly project_id: Fragment
}

/** Who has to do with a merge request, with a row for each way, and the ranks of these. */
const parts = ({ iid, project_id }: Key | Columns): Fragment => sql`
  select m.author_id as user_id, 0 as rank from rm_merge_requests.merge_requests m where m.project_id = ${project_id} and m.iid = ${iid}
  union all
  select p.user_id, case p.role when 'assignee' then 1000 else 2000 end + p.place from rm_merge_requests.people p
  where p.project_id = ${project_id} and p.iid = ${iid}
  union all
  select n.author_id, 3000 from rm_notes.notes n where n.project_id = ${project_id} and n.noteable_type = 'mergeRequest' and n.iid = ${iid}
    and not n.is_system and not n.is_internal`

const participants = (key: Key): Listing => {
  const found = sql`select u.id, u.username, u.name, u.state, t.rank
    from (select user_id, min(rank) as rank from (${parts(key)}) each group by user_id) t join rm_users.users u on u.id = t.user_id`
  return {
    rows: (page) => sql`select id, username, name, state from (${found}) found order by rank, id ${slice(page)}`,
    counted: found
  }
}

const reviewers = ({ iid, project_id }: Key): Listing => {
  const found = sql`select ${raw(referenceTo("u"))} as user, p.created_at, p.place,
    exists (select from rm_merge_requests.approvals a
      where a.project_id = p.project_id and a.iid = p.iid and a.user_id = p.user_id) as has_approved from rm_merge_requests.people p
    join rm_users.users u on u.id = p.user_id where p.project_id = ${project_id} and p.iid = ${iid} and p.role = 'reviewer'`
  return {
    rows: (page) => sql`select "user", created_at, has_approved from (${found}) found order by place ${slice(page)}`,
    counted: found
  }
}

interface Subscriber extends Key {
  readonly user_id: number
}

const subscriberKey = ({ iid, project_id, user_id }: Subscriber): string => `${project_id} ${iid} ${user_id}`

/** Those who are subscribed, of users and merge requests that are asked for. */
const subscribed = (keys: ReadonlyArray<string>): Fragment => {
  const subscribers = keys.map((key) => key.split(" ").map(Number))
  const column = (index: number) => subscribers.map((parts) => parts[index] ?? 0)
  return sql`
    select a.project_id, a.iid, a.user_id
    from unnest(${column(0)}::bigint[], ${column(1)}::bigint[], ${column(2)}::bigint[]) as a(project_id, iid, user_id)
    where coalesce(
      (select s.is_subscribed from rm_merge_requests.subscriptions s
        where s.project_id = a.project_id and s.iid = a.iid and s.user_id = a.user_id),
      exists (select from (${parts({ iid: raw("a.iid"), project_id: raw("a.project_id") })}) each where each.user_id = a.user_id))`
}

const isSubscribedOf = (client: Client): ParticipationQueries["Service"]["isSubscribed"] => {
  const find = lookupAll((keys: Array<string>) => rowsOf<Subscriber>(client, subscribed(keys)), subscriberKey)
  return ({ iid, project_id }, user_id) =>
    Effect.map(Effect.orDie(find(subscriberKey({ iid, project_id, user_id }))), ({ length }) => length > 0)
}

/** Answers questions about who has to do with merge requests from Postgres. */
export const participationQueries: Layer.Layer<ParticipationQueries, never, Sql> = Layer.effect(
  ParticipationQueries,
  Effect.map(Sql, ({ client }) =>
    ParticipationQueries.of({
      participants: (key, page) => selectListed<UserReferenceRow>(client, participants(key), page),
      reviewers: (key, page) => selectListed<ReviewerRow>(client, reviewers(key), page),
      isSubscribed: isSubscribedOf(client)
    })
  )
)
