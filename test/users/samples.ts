import type { Command, Create } from "#src/users/commands.ts"
import { defaultProfile } from "#src/users/profile.ts"
import type { Account, State } from "#src/users/state.ts"

/** 2024-06-30T12:00:00Z */
export const now = Date.UTC(2024, 5, 30, 12)

export const creation: Create = {
  _tag: "Create",
  username: "ada",
  email: "ada@example.com",
  admin: false,
  confirmed: true,
  createdBy: 1,
  profile: defaultProfile("Ada"),
  passwordDigest: null,
  namespaceId: 3
}

export const account: Account = {
  username: "ada",
  email: "ada@example.com",
  admin: false,
  profile: defaultProfile("Ada"),
  passwordDigest: null,
  lastActivityOn: "2024-01-01",
  namespaceId: 3
}

export const states: { readonly [Tag in State["_tag"]]: State } = {
  Absent: { _tag: "Absent" },
  Active: { _tag: "Active", account },
  Blocked: { _tag: "Blocked", account },
  Deactivated: { _tag: "Deactivated", account },
  Banned: { _tag: "Banned", account },
  Deleted: { _tag: "Deleted" }
}

export const commands: { readonly [Tag in Command["_tag"]]: Command } = {
  Create: creation,
  Update: { _tag: "Update", changes: { bio: "Counts." } },
  Block: { _tag: "Block" },
  Unblock: { _tag: "Unblock" },
  Deactivate: { _tag: "Deactivate", at: now },
  Activate: { _tag: "Activate" },
  Ban: { _tag: "Ban" },
  Unban: { _tag: "Unban" },
  NoteActivity: { _tag: "NoteActivity", day: "2024-06-30" },
  GiveNamespace: { _tag: "GiveNamespace", namespaceId: 4 },
  Delete: { _tag: "Delete", hardDelete: false }
}
