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
 * Namespaces that are wanted by id or path, the type of `$2`; `$3` are users or null. The limit keeps each namespace a lookup by index:
 * Postgres would read the whole table otherwise. What leads to a membership is only asked where the group would be hidden without it.
 */
const textOf = (type: "bigint" | "text", id: string): string => `
  select a.asked, row_to_json(n) as namespace, s.role,
    s.role = 0 and n.visibility <> 'public' and ${leadsToMembership("a.asker", "n.id")} as leads
  from unnest($1::text[], $2::${type}[], $3::bigint[]) as a(asked, wanted, asker)
  cross join lateral (select * from rm_namespaces.namespaces where id = ${id} limit 1) found
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
  const findBy = (text: string) =>
    lookup(
      (keys: Array<string>, onRow: (row: Found) => void) => {
        const requested = keys.map(partsOf)
        const columns = [keys, requested.map(([, idOrPath]) => idOrPath), requested.map(([userId]) => userId)]
        return client.unsafe<Array<Found>>(text, columns, { prepare: true }).forEach(onRow)
      },
      ({ asked }: Found) => asked
    )
  const [findById, findByPath] = [findBy(textOf("bigint", "a.wanted")), findBy(textOf("text", namespaceByPath("a.wanted")))]
  return (idOrPath, userId) => {
    // Postgres refuses a text with NUL, and with it everything that is looked up at the same time.
    if (idOrPath.includes("\0")) return Effect.undefined
    const find = isId.test(idOrPath) ? findById : findByPath
    return Effect.map(find(keyOf(userId, idOrPath)), (row) => (row === undefined ? undefined : found(row, idOrPath)))
  }
}
