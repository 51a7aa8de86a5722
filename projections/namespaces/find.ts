import { Effect } from "effect"
import type { FoundNamespace, Groups, NamespaceRow } from "#src/groups/Groups.ts"
import { lookup } from "#src/platform/sql/lookup.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import { leadsToMembership, roleInPlace } from "./access.ts"
import { namespaceColumns } from "./columns.ts"
import { namespaceByPath } from "./expressions.ts"

interface Found {
  readonly asked: string
  readonly namespace: NamespaceRow
  readonly role: number
  readonly leads: boolean
}

const isId = /^\d{1,15}$/

/**
 * The limit keeps each namespace a lookup by index: Postgres would read the whole table otherwise. What leads to a membership is
 * only asked where the group would be hidden without it.
 */
const text = `
  select a.asked, row_to_json(n) as namespace, s.role,
    s.role = 0 and n.visibility <> 'public' and ${leadsToMembership("a.asker", "n.id")} as leads
  from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[]) as a(asked, id, path, asker)
  cross join lateral (
    select * from rm_namespaces.namespaces
    where id = coalesce(a.id, case when a.path is not null then ${namespaceByPath("a.path")} end) limit 1
  ) found
  cross join lateral (${roleInPlace("a.asker", { namespace: "found.id" })}) s
  cross join lateral (select ${namespaceColumns("found", "s")}) n`

/** The key of a lookup: who asks, and for what. */
const keyOf = (userId: number | undefined, idOrPath: string): string => `${userId ?? ""} ${idOrPath}`

const partsOf = (key: string): readonly [userId: number | null, idOrPath: string] => {
  const space = key.indexOf(" ")
  return [space === 0 ? null : Number(key.slice(0, space)), key.slice(space + 1)]
}

const found = ({ leads, namespace, role }: Found, idOrPath: string): FoundNamespace => ({
  namespace,
  role,
  leadsToMembership: leads,
  isMoved: !isId.test(idOrPath) && namespace.full_path.toLowerCase() !== idOrPath.toLowerCase()
})

/** Finds namespaces by id or path, with the role of who asks. */
export const findNamespace = (client: Client): Groups["Service"]["find"] => {
  const find = lookup(
    (keys: Array<string>) => {
      const requested = keys.map(partsOf)
      const ids = requested.map(([, idOrPath]) => (isId.test(idOrPath) ? Number(idOrPath) : null))
      const paths = requested.map(([, idOrPath]) => (isId.test(idOrPath) ? null : idOrPath))
      return client.unsafe<Array<Found>>(text, [keys, ids, paths, requested.map(([userId]) => userId)], { prepare: true })
    },
    ({ asked }: Found) => asked
  )
  // Postgres refuses a text with NUL, and with it everything that is looked up at the same time.
  return (idOrPath, userId) =>
    idOrPath.includes("\0")
      ? Effect.undefined
      : Effect.map(find(keyOf(userId, idOrPath)), (row) => (row === undefined ? undefined : found(row, idOrPath)))
}
