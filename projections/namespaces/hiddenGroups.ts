import { Effect } from "effect"
import { accessLevel } from "#src/members/levels.ts"
import type { ShareRow } from "#src/members/questions.ts"
import { lookup } from "#src/platform/sql/lookup.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import { leadsToMembership } from "./access.ts"

const text = `
  select a.asked from unnest($1::text[], $2::bigint[], $3::bigint[]) as a(asked, user_id, group_id)
  where ${leadsToMembership("a.user_id", "a.group_id")}`

/** A group as somebody finds it. */
interface Found extends Pick<ShareRow, "role" | "visibility"> {
  readonly id: number
}

/**
 * Tells whether something below a group makes a user a member, who may know of the group then. That is only asked where the user has no role in
 * the group, which is not public: of so few that it is a statement of its own.
 */
export const leadsOf = (lookups: Client): ((group: Found, userId: number | null) => Effect.Effect<boolean>) => {
  const find = lookup(
    (keys: Array<string>, onRow: (row: { readonly asked: string }) => void) => {
      const parts = keys.map((key) => key.split(" "))
      const columns = [keys, parts.map(([userId = ""]) => userId), parts.map(([, groupId = ""]) => groupId)]
      return lookups.unsafe<Array<{ asked: string }>>(text, columns, { prepare: true }).forEach(onRow)
    },
    ({ asked }) => asked
  )
  return ({ id, role, visibility }, userId) =>
    userId === null || role > accessLevel.none || visibility === "public"
      ? Effect.succeed(false)
      : Effect.map(find(`${userId} ${id}`), (row) => row !== undefined)
}
