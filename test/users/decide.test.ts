import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { userAggregate } from "#src/users/aggregate.ts"
import type { Command, Update } from "#src/users/commands.ts"
import type { Refusal } from "#src/users/errors.ts"
import { UserEvent } from "#src/users/events.ts"
import { newProfile } from "#src/users/profile.ts"
import type { State } from "#src/users/state.ts"
import { itDecides } from "#test/support/decisions.ts"
import { account, commands, creation, now, states } from "./samples.ts"

const { decide } = userAggregate

/** The tags of the events, or of the refusal. */
type Expected = ReadonlyArray<UserEvent["_tag"]> | Refusal["_tag"]
type Row = Record<Command["_tag"], Expected>

const gone: Omit<Row, "Create"> = {
  Update: "UserMissing",
  Block: "UserMissing",
  Unblock: "UserMissing",
  Deactivate: "UserMissing",
  Activate: "UserMissing",
  Ban: "UserMissing",
  Unban: "UserMissing",
  NoteActivity: [],
  GiveNamespace: "UserMissing",
  Delete: "UserMissing"
}
const anyStanding: Pick<Row, "Create" | "Update" | "NoteActivity" | "GiveNamespace" | "Delete"> = {
  Create: "UserExists",
  Update: ["UserProfileChanged"],
  NoteActivity: ["UserWasActive"],
  GiveNamespace: [],
  Delete: ["UserDeleted"]
}

const table: Record<State["_tag"], Row> = {
  Absent: { ...gone, Create: ["UserCreated"] },
  Active: {
    ...anyStanding,
    Block: ["UserBlocked"],
    Unblock: [],
    Deactivate: ["UserDeactivated"],
    Activate: [],
    Ban: ["UserBanned"],
    Unban: "StatusForbids"
  },
  Blocked: {
    ...anyStanding,
    Block: [],
    Unblock: ["UserUnblocked"],
    Deactivate: "StatusForbids",
    Activate: "StatusForbids",
    Ban: "StatusForbids",
    Unban: "StatusForbids"
  },
  Deactivated: {
    ...anyStanding,
    Block: ["UserBlocked"],
    Unblock: "StatusForbids",
    Deactivate: [],
    Activate: ["UserActivated"],
    Ban: "StatusForbids",
    Unban: "StatusForbids"
  },
  Banned: {
    ...anyStanding,
    Block: [],
    Unblock: [],
    Deactivate: "StatusForbids",
    Activate: "StatusForbids",
    Ban: "StatusForbids",
    Unban: ["UserUnbanned"]
  },
  Deleted: { ...gone, Create: "UserExists" }
}

const outcome = (command: Command, state: State): Expected =>
  Result.match(decide(command, state), {
    onFailure: ({ _tag }) => _tag,
    onSuccess: (events) => events.map(({ _tag }) => _tag)
  })

describe("every command in every state", () => {
  itDecides(outcome, { commands, states, table })
})

const decided = (command: Command, state: State = states.Active) => Result.getOrThrow(decide(command, state))
const update = (fields: Omit<Update, "_tag">, state: State = states.Active) => decided({ _tag: "Update", ...fields }, state)
const { cases } = UserEvent

describe("creation", () => {
  it("records the password apart from the user, and only as a digest", () => {
    const { _tag, passwordDigest, ...created } = creation
    expect(decided({ ...creation, passwordDigest: "$scrypt$" }, states.Absent)).toEqual([
      cases.UserCreated.make(created),
      cases.UserPasswordChanged.make({ digest: "$scrypt$" })
    ])
  })
})

describe("a namespace", () => {
  it("is given to a user of an older log who has none", () => {
    const older: State = { _tag: "Active", account: { ...account, namespaceId: null } }
    expect(decided({ _tag: "GiveNamespace", namespaceId: 4 }, older)).toEqual([cases.NamespaceGiven.make({ namespaceId: 4 })])
  })
})

describe("an update", () => {
  it("records each kind of change in its own event, with only what changed", () => {
    const changes = { bio: "Counts.", name: "Ada" }
    expect(update({ username: "lovelace", email: "al@example.com", admin: true, passwordDigest: "$scrypt$", changes })).toEqual([
      cases.UserRenamed.make({ from: "ada", to: "lovelace" }),
      cases.UserEmailChanged.make({ from: "ada@example.com", to: "al@example.com" }),
      cases.AdministratorGranted.make({}),
      cases.UserProfileChanged.make({ changes: { bio: "Counts." } }),
      cases.UserPasswordChanged.make({ digest: "$scrypt$" })
    ])
  })

  it("that changes nothing records nothing", () => {
    expect(update({ username: "ada", email: "ada@example.com", admin: false, changes: { bio: "", location: null } })).toEqual([])
  })

  it("takes shown addresses back with the address that they repeat", () => {
    const profile = { ...account.profile, publicEmail: "ada@example.com", commitEmail: "_private" }
    const state: State = { _tag: "Active", account: { ...account, profile } }
    expect(update({ email: "al@example.com", changes: {} }, state)).toEqual([
      cases.UserEmailChanged.make({ from: "ada@example.com", to: "al@example.com" }),
      cases.UserProfileChanged.make({ changes: { publicEmail: null } })
    ])
  })

  it("replaces the identity at the same provider and adds others", () => {
    const identities = [{ provider: "ldap", externUid: "1" }]
    const state: State = { _tag: "Active", account: { ...account, profile: { ...account.profile, identities } } }
    const [replaced, added] = [
      { provider: "ldap", externUid: "2" },
      { provider: "saml", externUid: "1" }
    ]
    expect(update({ identity: replaced, changes: {} }, state)).toEqual([
      cases.UserProfileChanged.make({ changes: { identities: [replaced] } })
    ])
    expect(update({ identity: added, changes: {} }, state)).toEqual([
      cases.UserProfileChanged.make({ changes: { identities: [...identities, added] } })
    ])
  })
})

describe("external users", () => {
  const external = newProfile("Ada", { external: true, projectsLimit: 5 })
  const state: State = { _tag: "Active", account: { ...account, profile: external } }

  it("may create nothing when they become external", () => {
    expect(external).toMatchObject({ external: true, projectsLimit: 0, canCreateGroup: false })
    expect(update({ changes: { external: true } })).toEqual([
      cases.UserProfileChanged.make({ changes: { external: true, projectsLimit: 0, canCreateGroup: false } })
    ])
  })
  it("may be given rights later", () => {
    expect(update({ changes: { projectsLimit: 5 } }, state)).toEqual([
      cases.UserProfileChanged.make({ changes: { projectsLimit: 5 } })
    ])
  })
  it("get the defaults back when they stop being external", () => {
    expect(update({ changes: { external: false, projectsLimit: 7 } }, state)).toEqual([
      cases.UserProfileChanged.make({ changes: { external: false, projectsLimit: 7, canCreateGroup: true } })
    ])
  })
})

describe("deactivation", () => {
  it.each([
    ["2024-04-01", "UserDeactivated"],
    ["2024-04-02", "RecentlyActive"],
    ["2024-06-30", "RecentlyActive"],
    [null, "UserDeactivated"]
  ])("of a user last active on %s: %s", (lastActivityOn, expected) => {
    const state: State = { _tag: "Active", account: { ...account, lastActivityOn } }
    expect([outcome({ _tag: "Deactivate", at: now }, state)].flat()).toEqual([expected])
  })
})

describe("activity", () => {
  it.each([
    ["2023-12-31", []],
    ["2024-01-01", []],
    ["2024-01-02", ["UserWasActive"]]
  ])("on %s after 2024-01-01: %j", (day, expected) => {
    expect(outcome({ _tag: "NoteActivity", day }, states.Active)).toEqual(expected)
  })
})
