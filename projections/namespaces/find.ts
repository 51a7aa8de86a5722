import { Effect } from "effect"
import type { Groups, NamespaceRow } from "#src/groups/Groups.ts"
import { lookup } from "#src/platform/sql/lookup.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import { roleInPlace } from "./access.ts"
import { namespaceColumns } from "./columns.ts"
import { namespaceByPath } from "./expressions.ts"
import { leadsOf } from "./hiddenGroups.ts"

interface Found {
  readonly asked: string
  readonly namespace: NamespaceRow
  readonly role: number
}

const isId = /^\d{1,15}$/

/**
 * Namespaces that are wanted by id or path, the type of `$2`; `$3` are users or null. The limit keeps each namespace a lookup by index:
 * Postgres would read the whole table otherwise.
 */
const textOf = (type: "bigint" | "text", id: string): string => `
  select a.asked, row_to_json(n) as namespace, s.role
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

const isMoved = ({ full_path }: NamespaceRow, idOrPath: string): boolean =>
  !isId.test(idOrPath) && full_path.toLowerCase() !== idOrPath.toLowerCase()

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
  const leads = leadsOf(client)
  return Effect.fnUntraced(function* (idOrPath, userId) {
    // Postgres refuses a text with NUL, and with it everything that is looked up at the same time.
    if (idOrPath.includes("\0")) return undefined
    const row = yield* (isId.test(idOrPath) ? findById : findByPath)(keyOf(userId, idOrPath))
    if (row === undefined) return undefined
    const { namespace, role } = row
    const leadsToMembership = yield* leads({ ...namespace, role }, userId ?? null)
    return { namespace, role, leadsToMembership, isMoved: isMoved(namespace, idOrPath) }
  })
}
