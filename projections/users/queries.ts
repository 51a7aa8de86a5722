import { Context, Effect, Layer } from "effect"
import type { UserRow } from "#src/http/access/Caller.ts"
import type { UserReferenceRow } from "#src/http/answer/shapes.ts"
import { lookupById } from "#src/platform/sql/lookup.ts"
import { prepareUpToLimit } from "#src/platform/sql/preparedStatements.ts"
import { type Client, query, Sql } from "#src/platform/sql/Sql.ts"
import { type AdministeredUser, type UserFilter, type UserOrder, UserQueries } from "#src/users/Queries.ts"
import { Users } from "#src/users/Users.ts"
import { isCurrent, memberships } from "../namespaces/access.ts"
import { userColumns } from "./columns.ts"
import { contains } from "./search.ts"
import { usersWithProjects } from "./withProjects.ts"

type AdministeredRow = UserRow & { readonly creator: UserReferenceRow | null }

const administered = ({ creator, ...user }: AdministeredRow): AdministeredUser => ({ user, creator })

const columns = userColumns("u")
const administeredSelect = `
  select ${columns}, case when c.id is null then null
    else json_build_object('id', c.id, 'username', c.username, 'name', c.name, 'state', c.state) end as creator
  from rm_users.users u left join rm_users.users c on c.id = u.created_by`

const where = (sql: Client, filter: UserFilter) => sql`
  ${filter.username === undefined ? sql`true` : sql`lower(u.username) = ${filter.username.toLowerCase()}`}
  ${filter.withoutForbidden ? sql`and u.state not in ('blocked', 'banned')` : sql``}
  ${filter.active === undefined ? sql`` : sql`and (u.state = 'active') = ${filter.active}`}
  ${filter.blocked ? sql`and u.state = 'blocked'` : sql``}
  ${filter.external === undefined ? sql`` : sql`and u.external = ${filter.external}`}
  ${filter.admins ? sql`and u.admin` : sql``}
  ${filter.withoutProjects ? sql`and u.id not in (${sql.unsafe(usersWithProjects)})` : sql``}
  ${filter.createdAfter === undefined ? sql`` : sql`and u.created_at >= ${filter.createdAfter}`}
  ${filter.createdBefore === undefined ? sql`` : sql`and u.created_at <= ${filter.createdBefore}`}
  ${filter.search === undefined ? sql`` : sql`and (${found(sql, filter.search)})`}
  ${filter.identity === undefined ? sql`` : sql`and u.identities @> ${identityJson(filter.identity)}::text::jsonb`}`

const identityJson = ({ provider, externUid }: { readonly provider: string; readonly externUid: string }): string =>
  JSON.stringify([{ provider, extern_uid: externUid }])

const searchedText = (text: string): string => text.replace(/^@/, "").toLowerCase()

const found = (sql: Client, search: { readonly text: string; readonly privateEmails: boolean }) => {
  const text = searchedText(search.text)
  const email = search.privateEmails ? sql`u.email = ${text}` : sql`u.public_email = ${text}`
  return sql`${contains(sql, "u.name", text)} or ${contains(sql, "u.username", text)} or ${email}`
}

/** Times of creation are in the order of ids. */
const orderColumn: Readonly<Record<UserOrder, string>> = {
  id: "u.id",
  created_at: "u.id",
  name: "u.name",
  username: "u.username",
  updated_at: "u.updated_at"
}

const order = (sql: Client, { order: { by, descending }, search }: UserFilter) => {
  if (by === "relevance") {
    const text = searchedText(search?.text ?? "")
    return sql`case when lower(u.name) = ${text} then 0 when lower(u.username) = ${text} then 1
      when u.email = ${text} then 2 else 3 end, u.name, u.id desc`
  }
  const direction = descending ? "desc" : "asc"
  return sql.unsafe(`${orderColumn[by]} ${direction}, u.id ${direction}`)
}

const findByUsername = (sql: Client, username: string) =>
  query(
    () => sql<Array<UserRow>>`
      select ${sql.unsafe(columns)} from rm_users.users u where lower(u.username) = ${username.toLowerCase()} limit 1`
  )

const findByEmails = (sql: Client, emails: ReadonlyArray<string>) => {
  // Postgres takes no NUL, so that nobody has such an address.
  const folded = new Set(emails.filter((email) => !email.includes("\0")).map((email) => email.toLowerCase()))
  return query(
    () => sql<Array<UserRow>>`select ${sql.unsafe(columns)} from rm_users.users u where u.email = any(${[...folded]}::text[])`
  )
}

const usersOf = ({ client, lookups }: Sql["Service"]): Users["Service"] => {
  const find = lookupById<UserRow>(lookups, `select ${columns} from rm_users.users u where u.id = any($1)`)
  return {
    find,
    findByIdOrUsername: (text) =>
      /^\d{1,15}$/.test(text) ? find(Number(text)) : Effect.map(findByUsername(client, text), ([user]) => user),
    // User names hold no `@`, addresses always do.
    findByLogin: (text) =>
      Effect.map(text.includes("@") ? findByEmails(client, [text]) : findByUsername(client, text), ([user]) => user),
    findByEmails: (emails) => findByEmails(client, emails)
  }
}

const administeredOf = (lookups: Client): UserQueries["Service"]["administered"] => {
  const find = lookupById<AdministeredRow>(lookups, `${administeredSelect} where u.id = any($1)`)
  return (id) => Effect.map(find(id), (row) => row && administered(row))
}

/** The condition that a membership, a row with this alias, is of an owner beside whom its group has none. */
const soleOwner = (owner: string): string => `${owner}.access_level = 50 and ${isCurrent(owner)} and not exists (
  select from (${memberships(`${owner}.group_id`)}) m where m.access_level = 50 and m.user_id <> ${owner}.user_id)`

const queriesOf = ({ client: sql, lookups }: Sql["Service"]): UserQueries["Service"] => ({
  withoutNamespace: Effect.map(
    Effect.suspend(() =>
      query(() => sql<Array<{ id: number }>>`select id from rm_users.users where namespace_id is null order by id`)
    ),
    (rows) => rows.map(({ id }) => id)
  ),
  isSoleOwner: (id) =>
    Effect.map(
      query(() =>
        sql.unsafe(`select from rm_namespaces.group_members o where ${soleOwner("o")} and o.user_id = $1 limit 1`, [id])
      ),
      (rows) => rows.length > 0
    ),
  administered: administeredOf(lookups),
  list: Effect.fn("UserQueries.list")(function* (filter, { offset, limit }) {
    const rows = query(() =>
      prepareUpToLimit(
        sql,
        sql<Array<AdministeredRow>>`
        ${sql.unsafe(administeredSelect)} where ${where(sql, filter)}
        order by ${order(sql, filter)} limit ${limit} offset ${offset}`
      )
    )
    const count = query(() =>
      prepareUpToLimit(
        sql,
        sql<Array<{ total: number }>>`select count(*) as total from rm_users.users u where ${where(sql, filter)}`
      )
    )
    const [users, [counted]] = yield* Effect.all([rows, count], { concurrency: 2 })
    return { users: users.map(administered), total: counted?.total ?? 0 }
  }),
  taken: ({ email, username }, except) =>
    Effect.map(
      query(
        () => sql<Array<{ email: boolean; username: boolean }>>`
          select coalesce(bool_or(u.email = ${email?.toLowerCase() ?? null}), false) as email,
                 coalesce(bool_or(lower(u.username) = ${username?.toLowerCase() ?? null}), false) as username
          from rm_users.users u
          where (u.email = ${email?.toLowerCase() ?? null} or lower(u.username) = ${username?.toLowerCase() ?? null})
            and u.id is distinct from ${except}::bigint`
      ),
      ([taken]) => taken ?? { email: false, username: false }
    )
})

/** Answers for users from the read model `users`. */
export const userQueries: Layer.Layer<Users | UserQueries, never, Sql> = Layer.effectContext(
  Effect.gen(function* () {
    const sql = yield* Sql
    return Context.make(Users, usersOf(sql)).pipe(Context.add(UserQueries, queriesOf(sql)))
  })
)
