import { Context, Effect, Layer } from "effect"
import { userColumns } from "#projections/users/columns.ts"
import { contains } from "#projections/users/search.ts"
import type { KnownToken } from "#src/http/Authenticator.ts"
import { type Client, query, Sql } from "#src/platform/sql/Sql.ts"
import { spanned } from "#src/platform/tracing.ts"
import { type TokenFilter, type TokenOrder, type TokenRow, TokensReadModel } from "#src/tokens/ReadModel.ts"
import { Tokens } from "#src/tokens/Tokens.ts"

const columns = "t.id, t.user_id, t.name, t.scopes, t.created_at, t.last_used_at, t.expires_at, t.revoked"

const where = (sql: Client, filter: TokenFilter) => sql`
  ${filter.userId === undefined ? sql`true` : sql`t.user_id = ${filter.userId}`}
  ${filter.active === undefined ? sql`` : sql`and ${active(sql, filter.active.today)} = ${filter.active.is}`}
  ${filter.revoked === undefined ? sql`` : sql`and t.revoked = ${filter.revoked}`}
  ${filter.search === undefined ? sql`` : sql`and ${contains(sql, "t.name", filter.search)}`}
  ${filter.createdAfter === undefined ? sql`` : sql`and t.created_at >= ${filter.createdAfter}`}
  ${filter.createdBefore === undefined ? sql`` : sql`and t.created_at <= ${filter.createdBefore}`}
  ${filter.lastUsedAfter === undefined ? sql`` : sql`and t.last_used_at >= ${filter.lastUsedAfter}`}
  ${filter.lastUsedBefore === undefined ? sql`` : sql`and t.last_used_at <= ${filter.lastUsedBefore}`}
  ${filter.expiresAfter === undefined ? sql`` : sql`and t.expires_at >= ${filter.expiresAfter}`}
  ${filter.expiresBefore === undefined ? sql`` : sql`and t.expires_at < ${filter.expiresBefore}`}`

const active = (sql: Client, today: string) => sql`(not t.revoked and (t.expires_at is null or t.expires_at > ${today}))`

/** Times of creation are in the order of ids. */
const orderColumn: Readonly<Record<TokenOrder, string>> = {
  id: "t.id",
  created_at: "t.id",
  expires_at: "t.expires_at",
  last_used_at: "t.last_used_at",
  name: "t.name"
}

const order = (sql: Client, { by, descending }: TokenFilter["order"]) => {
  const direction = descending ? "desc" : "asc"
  // As in the reference service, ties of dates go to the newest.
  const tie = by === "expires_at" || by === "last_used_at" ? "desc" : direction
  return sql.unsafe(`${orderColumn[by]} ${direction}, t.id ${tie}`)
}

/** The user as one JSON value: a driver takes longer for forty columns than `JSON.parse` for their text. */
const authentication = `
  select (select row_to_json(columns) from (select ${userColumns("u")}) columns) as "user", t.id as "tokenId", t.scopes,
    t.expires_at as "expiresAt", t.revoked, t.last_used_on as "lastUsedOn"
  from rm_tokens.tokens t join rm_users.users u on u.id = t.user_id
  where t.digest = $1 limit 1`

const authenticate =
  (sql: Client): Tokens["Service"]["authenticate"] =>
  (digest) =>
    Effect.map(
      query(() => sql.unsafe<Array<KnownToken>>(authentication, [digest], { prepare: true })),
      ([token]) => token
    ).pipe(spanned("Tokens.authenticate"))

const readModelOf = (sql: Client): TokensReadModel["Service"] => ({
  find: (id) =>
    Effect.map(
      query(() =>
        sql.unsafe<Array<TokenRow>>(`select ${columns} from rm_tokens.tokens t where t.id = $1`, [id], { prepare: true })
      ),
      ([token]) => token
    ),
  list: Effect.fn("TokensReadModel.list")(function* (filter, { offset, limit }) {
    const rows = query(
      () => sql<Array<TokenRow>>`
        select ${sql.unsafe(columns)} from rm_tokens.tokens t where ${where(sql, filter)}
        order by ${order(sql, filter.order)} limit ${limit} offset ${offset}`
    )
    const count = query(
      () => sql<Array<{ total: number }>>`select count(*) as total from rm_tokens.tokens t where ${where(sql, filter)}`
    )
    const [tokens, [counted]] = yield* Effect.all([rows, count], { concurrency: 2 })
    return { tokens, total: counted?.total ?? 0 }
  })
})

/** Answers for tokens from the read model `tokens`, joined with the users they belong to. */
export const tokensQueries: Layer.Layer<Tokens | TokensReadModel, never, Sql> = Layer.effectContext(
  Effect.gen(function* () {
    const { client } = yield* Sql
    return Context.make(Tokens, { authenticate: authenticate(client) }).pipe(Context.add(TokensReadModel, readModelOf(client)))
  })
)
