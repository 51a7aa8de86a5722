import { describe, expect, it } from "vitest"
import { usersReadModel } from "#projections/users/projection.ts"
import { UserEvent, userCodec } from "#src/users/events.ts"
import { defaultProfile } from "#src/users/profile.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"
import { userRow } from "./rows.ts"

const { at } = recorded

const changesOf = (event: UserEvent, stream = "user-7") => changesIn(usersReadModel)(userCodec.encode(event), stream)

const { cases } = UserEvent
const patch = (columns: object) => [{ _tag: "Patch", table: "users", key: { id: 7 }, columns }]

describe("the users read model", () => {
  it("puts a whole row for a new user and keeps the id from being given again", () => {
    const created = cases.UserCreated.make({
      username: "ada",
      email: "ada@example.com",
      admin: false,
      confirmed: true,
      createdBy: 1,
      profile: defaultProfile("Ada"),
      namespaceId: 3
    })
    expect(changesOf(created)).toEqual([
      { _tag: "Put", table: "users", row: userRow },
      { _tag: "IdTaken", kind: "user", id: 7 }
    ])
  })

  it("has a user of an older log without a namespace", () => {
    const rights = { admin: false, confirmed: true, createdBy: 1, profile: defaultProfile("Ada") }
    const [change] = changesOf(cases.UserCreated.make({ username: "ada", email: "ada@example.com", ...rights }))
    expect(change).toEqual({ _tag: "Put", table: "users", row: { ...userRow, namespace_id: null } })
  })

  it.each<[UserEvent, object]>([
    [cases.NamespaceGiven.make({ namespaceId: 4 }), { namespace_id: 4 }],
    [
      cases.UserProfileChanged.make({ changes: { websiteUrl: "w", identities: [{ provider: "p", externUid: "u" }] } }),
      { website_url: "w", identities: [{ provider: "p", extern_uid: "u" }], updated_at: at }
    ],
    [cases.UserRenamed.make({ from: "ada", to: "al" }), { username: "al", updated_at: at }],
    [cases.UserEmailChanged.make({ from: "a@b", to: "c@d" }), { email: "c@d", updated_at: at }],
    [cases.UserPasswordChanged.make({ digest: "$scrypt$" }), { updated_at: at }],
    [cases.AdministratorGranted.make({}), { admin: true, updated_at: at }],
    [cases.AdministratorRevoked.make({}), { admin: false, updated_at: at }],
    [cases.UserBlocked.make({}), { state: "blocked", updated_at: at }],
    [cases.UserUnblocked.make({}), { state: "active", updated_at: at }],
    [cases.UserDeactivated.make({}), { state: "deactivated", updated_at: at }],
    [cases.UserActivated.make({}), { state: "active", updated_at: at }],
    [cases.UserBanned.make({}), { state: "banned", updated_at: at }],
    [cases.UserUnbanned.make({}), { state: "active", updated_at: at }],
    [cases.UserWasActive.make({ day: "2024-06-30" }), { last_activity_on: "2024-06-30" }]
  ])("$_tag", (event, columns) => {
    expect(changesOf(event)).toEqual(patch(columns))
  })

  it("removes deleted users", () => {
    expect(changesOf(cases.UserDeleted.make({ hardDelete: true }))).toEqual([{ _tag: "Remove", table: "users", key: { id: 7 } }])
  })

  it("has nothing to do with other streams", () => {
    expect(changesOf(cases.UserBlocked.make({}), "group-7")).toEqual([])
  })
})
