import { isoMillis } from "../http/answer/jsonTimes.ts"
import { userReference } from "../http/answer/shapes.ts"
import { defined } from "../kernel/defined.ts"
import type { Member, SharedWith } from "./contract.ts"
import type { MemberRow, ShareRow } from "./questions.ts"

const presentCreator = (creator: MemberRow["created_by"], externalUrl: string) => {
  if (creator === null) return undefined
  return creator === "hidden" ? null : userReference(creator, externalUrl)
}

export const presentMember = (row: MemberRow, externalUrl: string): typeof Member.Type => ({
  ...userReference(row.user, externalUrl),
  access_level: row.access_level,
  created_at: isoMillis(row.created_at),
  ...defined({ created_by: presentCreator(row.created_by, externalUrl) }),
  expires_at: row.expires_at,
  membership_state: "active"
})

export const presentShare = (row: ShareRow): typeof SharedWith.Type => ({
  group_id: row.group_id,
  group_name: row.group_name,
  group_full_path: row.group_full_path,
  group_access_level: row.access_level,
  expires_at: row.expires_at
})
