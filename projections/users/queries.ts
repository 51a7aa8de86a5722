import { Context, Effect, Layer } from "effect"
import type { UserRow } from "#src/http/access/Caller.ts"
import type { Slice } from "#src/http/answer/pagination.ts"
import type { UserReferenceRow } from "#src/http/answer/shapes.ts"
import { accessLevel } from "#src/members/levels.ts"
import { all, any, type Fragment, raw, selectPage, slice, sql } from "#src/platform/sql/fragment.ts"
import { lookupById } from "#src/platform/sql/lookup.ts"
import { type Client, query, Sql } from "#src/platform/sql/Sql.ts"
import { type AdministeredUser, type UserFilter, type UserOrder, UserQueries } from "#src/users/Queries.ts"
import { Users } from "#src/users/Users.ts"
import { isCurrent, memberships } from "../namespaces/access.ts"
import { contains } from "../search.ts"
import { userColumns } from "./columns.ts"
import { usersWithProjects } from "./withProjects.ts"

const columns = userColumns("u")
/** A subquery is asked for the rows of a page alone; a join would find the creators of all who could be on it. */
const administeredSelect = `
  select ${columns}, (
    select json_build_object('id', c.id, 'username', c.username, 'name', c.name, 'state', c.state)
    from rm_users.users c where c.id = u.created_by) as creator
  from rm_users.users u`

const where = (filter: UserFilter): Fragment =>
  all(
    filter.username !== undefined && sql`lower(u.username) = ${filter.username.toLowerCase()}`,
    filter.withoutForbidden && raw("u.state not in ('blocked', 'banned')"),
    filter.active !== undefined && sql`(u.state = 'active') = ${filter.active}`,
    filter.blocked === true && raw("u.state = 'blocked'"),
    filter.external !== undefined && sql`u.external = ${filter.external}`,
    filter.admins === true && raw("u.admin"),
    filter.withoutProjects === true && raw(`u.id not in (${usersWithProjects})`),
    filter.createdAfter !== undefined && sql`u.created_at >= ${filter.createdAfter}`,
    filter.createdBefore !== undefined && sql`u.created_at <= ${filter.createdBefore}`,
    filter.search !== undefined && found(filter.search),
    filter.identity !== undefined && sql`u.identities @> ${identityJson(filter.identity)}::text::jsonb`
  )

const identityJson = ({ provider, externUid }: { readonly provider: string; readonly externUid: string }): string =>
  JSON.stringify([{ provider, extern_uid: externUid }])

const searchedText = (text: string): string => text.replace(/^@/, "").toLowerCase()

const found = (search: { readonly text: string; readonly privateEmails: boolean }): Fragment => {
  const text = searchedText(search.text)
  const email = search.privateEmails ? sql`u.email = ${text}` : sql`u.public_email = ${text}`
  return any(contains("u.name", text), contains("u.username", text), email)
}

/** Times of creation are in the order of ids. */
const orderColumn: Readonly<Record<UserOrder, string>> = {
  id: "u.id",
  created_at: "u.id",
  name: "u.name",
  username: "u.username",
  updated_at: "u.updated_at"
}

const order = ({ order: { by, descending }, search }: UserFilter): Fragment => {
  if (by === "relevance") {
    const text = searchedText(search?.text ?? "")
    return sql`case when lower(u.name) = ${text} then 0 when lower(u.username) = ${text} then 1
      when u.email = ${text} then 2 else 3 end, u.name, u.id desc`
  }
  const direction = descending ? "desc" : "asc"
  return raw(`${orderColumn[by]} ${direction}, u.id ${direction}`)
}

const findByUsername = (client: Client, username: string) =>
  query(
    () => client<Array<UserRow>>`
      select ${client.unsafe(columns)} from rm_users.users u where lower(u.username) = ${username.toLowerCase()} limit 1`
  )

const findByEmails = (client: Client, emails: ReadonlyArray<string>) => {
  // Postgres takes no NUL, so that nobody has such an address.
  const folded = new Set(emails.filter((email) => !email.includes("\0")).map((email) => email.toLowerCase()))
  return query(
    () =>
      client<Array<UserRow>>`select ${client.unsafe(columns)} from rm_users.users u where u.email = any(${[...folded]}::text[])`
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

/** The condition that a membership, a row with this alias, is of the only owner of its group. */
const soleOwner = (
  owner: string
): string => `${owner}.access_level = ${accessLevel.owner} and ${isCurrent(owner)} and not exists (
  select from (${memberships(`${owner}.group_id`)}) m where m.access_level = ${accessLevel.owner} and m.user_id <> ${owner}.user_id)`

/** A page of the users whom a filter finds; `selected` is a select list with its tables. */
const pageOf =
  <Row extends UserReferenceRow>(client: Client, selected: string) =>
  (filter: UserFilter, { limit, offset }: Slice) =>
    selectPage<Row>(client, {
      rows: sql`${raw(selected)} where ${where(filter)} order by ${order(filter)} ${slice({ limit, offset })}`,
      count: sql`select count(*) as total from rm_users.users u where ${where(filter)}`
    })

const queriesOf = ({ client, lookups }: Sql["Service"]): UserQueries["Service"] => ({
  withoutNamespace: Effect.map(
    Effect.suspend(() =>
      query(() => client<Array<{ id: number }>>`select id from rm_users.users where namespace_id is null order by id`)
    ),
    (rows) => rows.map(({ id }) => id)
  ),
  solelyOwned: (id) =>
    Effect.map(
      query(() =>
        client.unsafe<Array<{ group_id: number }>>(
          `select o.group_id from rm_namespaces.group_members o where ${soleOwner("o")} and o.user_id = $1 order by o.group_id`,
          [id]
        )
      ),
      (rows) => rows.map((row) => row.group_id)
    ),
  hasOtherAdministrator: (id) =>
    Effect.map(
      query(() => client`select from rm_users.users u where u.admin and u.state = 'active' and u.id <> ${id} limit 1`),
      (rows) => rows.length > 0
    ),
  highestRole: (id) =>
    Effect.map(
      query(
        () => client<Array<{ role: number }>>`
          select coalesce(max(m.access_level), 0) as role from (
            select access_level from rm_namespaces.group_members g where g.user_id = ${id} and ${client.unsafe(isCurrent("g"))}
            union all
            select access_level from rm_projects.project_members p where p.user_id = ${id} and ${client.unsafe(isCurrent("p"))}
          ) m`
      ),
      ([row]) => row?.role ?? 0
    ),
  administered: lookupById<AdministeredUser>(lookups, `${administeredSelect} where u.id = any($1)`),
  list: pageOf<AdministeredUser>(client, administeredSelect),
  listReferences: pageOf<UserReferenceRow>(client, "select u.id, u.username, u.name, u.state from rm_users.users u"),
  taken: ({ email, username }, except) =>
    Effect.map(
      query(
        () => client<Array<{ email: boolean; username: boolean }>>`
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
    const database = yield* Sql
    return Context.make(Users, usersOf(database)).pipe(Context.add(UserQueries, queriesOf(database)))
  })
)
