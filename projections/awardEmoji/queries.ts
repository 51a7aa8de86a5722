import { Effect, Layer } from "effect"
import type { Awardable } from "#src/awardEmoji/ids.ts"
import { AwardQueries, type AwardRow } from "#src/awardEmoji/Queries.ts"
import { type Fragment, raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import { type Client, Sql } from "#src/platform/sql/Sql.ts"
import { selectListed } from "../selectListed.ts"

const columns = raw(`a.id, a.name, a.user_id, a.created_at,
  (select json_build_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state)
    from rm_users.users u where u.id = a.user_id) as user`)

const isOf = ({ id, type }: Awardable): Fragment => sql`a.type = ${type} and a.awardable_id = ${id}`

const queriesOf = (client: Client): AwardQueries["Service"] => ({
  list: (awardable, page) => {
    const found = (selected: Fragment) => sql`select ${selected} from rm_award_emoji.awards a where ${isOf(awardable)}`
    const rows = (of: Parameters<typeof slice>[0]) => sql`${found(columns)} order by a.id ${slice(of)}`
    return selectListed<AwardRow>(client, { rows, counted: found(raw("a.id")) }, page)
  },
  find: (awardable, id) =>
    Effect.map(
      select<AwardRow>(client, sql`select ${columns} from rm_award_emoji.awards a where a.id = ${id} and ${isOf(awardable)}`),
      ([found]): AwardRow | undefined => found
    )
})

/** Answers questions about awards from Postgres. */
export const awardQueries: Layer.Layer<AwardQueries, never, Sql> = Layer.effect(
  AwardQueries,
  Effect.map(Sql, ({ client }) => queriesOf(client))
)
