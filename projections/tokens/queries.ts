import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { contains } from "#projections/search.ts"
import { userColumns } from "#projections/users/columns.ts"
import type { KnownToken } from "#src/http/access/Authenticator.ts"
import type { UserRow } from "#src/http/access/Caller.ts"
import { spanned } from "#src/platform/logging/tracing.ts"
import { all, type Fragment, raw, selectPage, slice, sql } from "#src/platform/sql/fragment.ts"
import { lookup, lookupById } from "#src/platform/sql/lookup.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { type TokenFilter, type TokenOrder, TokenQueries, type TokenRow } from "#src/tokens/Queries.ts"
import { Tokens } from "#src/tokens/Tokens.ts"

const columns = "t.id, t.user_id, t.name, t.scopes, t.created_at, t.updated_at, t.last_used_at, t.expires_at, t.revoked"

const where = (filter: TokenFilter): Fragment =>
  all(
    filter.userId !== undefined && sql`t.user_id = ${filter.userId}`,
    filter.active !== undefined && sql`${isActive(filter.active.today)} = ${filter.active.is}`,
    filter.revoked !== undefined && sql`t.revoked = ${filter.revoked}`,
    filter.search !== undefined && contains("t.name", filter.search),
    filter.createdAfter !== undefined && sql`t.created_at >= ${filter.createdAfter}`,
    filter.createdBefore !== undefined && sql`t.created_at <= ${filter.createdBefore}`,
    filter.lastUsedAfter !== undefined && sql`t.last_used_at >= ${filter.lastUsedAfter}`,
    filter.lastUsedBefore !== undefined && sql`t.last_used_at <= ${filter.lastUsedBefore}`,
    filter.expiresAfter !== undefined && sql`t.expires_at >= ${filter.expiresAfter}`,
    filter.expiresBefore !== undefined && sql`t.expires_at < ${filter.expiresBefore}`
  )

const isActive = (today: string): Fragment => sql`(not t.revoked and (t.expires_at is null or t.expires_at > ${today}))`

/** Times of creation are in the order of ids. */
const orderColumn: Readonly<Record<TokenOrder, string>> = {
  id: "t.id",
  created_at: "t.id",
  expires_at: "t.expires_at",
  last_used_at: "t.last_used_at",
  name: "t.name"
}

const order = ({ by, descending }: TokenFilter["order"]): Fragment => {
  const direction = descending ? "desc" : "asc"
  // As in the reference service, the newest token comes first among equal dates.
  const tie = by === "expires_at" || by === "last_used_at" ? "desc" : direction
  return raw(`${orderColumn[by]} ${direction}, t.id ${tie}`)
}

const ofDigests = `
  from unnest($1::text[]) as asked(digest) join rm_tokens.tokens t on t.digest = decode(asked.digest, 'hex')
  join rm_users.users u on u.id = t.user_id`
/** Postgres gives every version of a row the number of the transaction that wrote it. */
const versions = `select asked.digest, t.xmin as "tokenVersion", u.xmin as "userVersion" ${ofDigests}`
const authentication = `
  select ${userColumns("u")}, t.id as "tokenId", t.scopes, t.expires_at as "expiresAt", t.revoked,
    t.last_used_on as "lastUsedOn", asked.digest, t.xmin as "tokenVersion", u.xmin as "userVersion" ${ofDigests}`

interface Versions {
  /** The digest is in hexadecimal. */
  readonly digest: string
  readonly tokenVersion: string
  readonly userVersion: string
}
type AuthenticationRow = UserRow & Omit<KnownToken, "user"> & Versions

const knownToken = ({ tokenId, scopes, expiresAt, revoked, lastUsedOn, ...row }: AuthenticationRow): KnownToken => {
  const { digest, tokenVersion, userVersion, ...user } = row
  return { tokenId, user, scopes, expiresAt, revoked, lastUsedOn }
}

interface CachedToken extends Versions {
  readonly token: KnownToken
}

/** The cache holds this many tokens with their users. */
const maxCachedTokens = 2_000

/**
 * Every request asks whether token and user are still as they were read before; only when they are not, or were not read yet,
 * they are read whole, which costs the database and this process twice as much.
 */
const authenticate = ({ onTokenConnectionClosed, tokenLookups }: Sql["Service"]): Tokens["Service"]["authenticate"] => {
  const cache = new LRUCache<string, CachedToken>({ max: maxCachedTokens })
  // Another server may take over that has not seen all transactions and reuses their numbers.
  let losses = 0
  onTokenConnectionClosed(() => {
    losses += 1
    cache.clear()
  })
  const by = <Row extends Versions>(text: string) =>
    lookup(
      (digests: Array<string>, onRow: (row: Row) => void) =>
        tokenLookups.unsafe<Array<Row>>(text, [digests], { prepare: true }).forEach(onRow),
      ({ digest }) => digest
    )
  const findVersions = by<Versions>(versions)
  const findWhole = by<AuthenticationRow>(authentication)

  const readWhole = (digest: string) =>
    Effect.suspend(() => {
      const lossesBefore = losses
      return Effect.map(findWhole(digest), (row) => {
        cache.delete(digest)
        if (row === undefined) return undefined
        const { tokenVersion, userVersion } = row
        const token = knownToken(row)
        if (losses === lossesBefore) cache.set(digest, { digest, token, tokenVersion, userVersion })
        return token
      })
    })
  const find = (digest: string) => {
    const before = cache.get(digest)
    if (before === undefined) return readWhole(digest)
    return Effect.flatMap(findVersions(digest), (now) => {
      const isSame = now?.tokenVersion === before.tokenVersion && now.userVersion === before.userVersion
      // The entry is gone when the connection ended before the answer.
      return isSame && cache.get(digest) === before ? Effect.succeed(before.token) : readWhole(digest)
    })
  }
  return (digest) => find(digest.toString("hex")).pipe(spanned("Tokens.authenticate"))
}

const queriesOf = ({ client, lookups }: Sql["Service"]): TokenQueries["Service"] => ({
  find: lookupById<TokenRow>(lookups, `select ${columns} from rm_tokens.tokens t where t.id = any($1)`),
  list: Effect.fnUntraced(function* (filter, { offset, limit }) {
    const { rows, total } = yield* selectPage<TokenRow>(client, {
      rows: sql`
        select ${raw(columns)} from rm_tokens.tokens t where ${where(filter)}
        order by ${order(filter.order)} ${slice({ limit, offset })}`,
      count: sql`select count(*) as total from rm_tokens.tokens t where ${where(filter)}`
    })
    return { tokens: rows, total }
  }, spanned("TokenQueries.list"))
})

/** Answers for tokens from the read model `tokens`, joined with the users they belong to. */
export const tokenQueries: Layer.Layer<Tokens | TokenQueries, never, Sql> = Layer.effectContext(
  Effect.gen(function* () {
    const database = yield* Sql
    return Context.make(Tokens, { authenticate: authenticate(database) }).pipe(Context.add(TokenQueries, queriesOf(database)))
  })
)
