import { describe, expect, it } from "vitest"
import { namespacesReadModel } from "#projections/namespaces/projection.ts"
import { GroupEvent, groupCodec } from "#src/groups/events.ts"
import { UserEvent, userCodec } from "#src/users/events.ts"
import { defaultProfile } from "#src/users/profile.ts"
import { created } from "#test/groups/samples.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"

const { at } = recorded

const changesOf = changesIn(namespacesReadModel)
const ofGroup = (event: GroupEvent, stream = "group-9") => changesOf(groupCodec.encode(event), stream)
const ofUser = (event: UserEvent, stream = "user-7") => changesOf(userCodec.encode(event), stream)

const { cases } = GroupEvent
const user = UserEvent.cases
const subject = { kind: "group", subject_id: 9 }
const owner = { kind: "user", subject_id: 7 }
const patch = (key: object, columns: object) => ({ _tag: "Patch", table: "namespaces", key, columns })
const redirectRemoved = (parent_id: number, path: string) => ({ _tag: "Remove", table: "redirects", key: { parent_id, path } })

describe("of a group", () => {
  it("a new one is a row, and leads nobody elsewhere", () => {
    expect(ofGroup({ ...created, path: "Engineering", parentId: 4 })).toEqual([
      { _tag: "IdTaken", kind: "namespace", id: 9 },
      {
        _tag: "Put",
        table: "namespaces",
        row: {
          ...subject,
          id: 9,
          path: "Engineering",
          name: "Engineering",
          parent_id: 4,
          owner_id: null,
          visibility: "private",
          description: "",
          created_at: at,
          updated_at: at,
          share_with_group_lock: false,
          require_two_factor_authentication: false,
          two_factor_grace_period: 48,
          project_creation_level: "developer",
          auto_devops_enabled: null,
          subgroup_creation_level: "maintainer",
          emails_enabled: true,
          mentions_disabled: null,
          lfs_enabled: true,
          math_rendering_limits_enabled: true,
          lock_math_rendering_limits_enabled: false,
          default_branch: null,
          default_branch_protection: null,
          default_branch_protection_defaults: null,
          request_access_enabled: true,
          shared_runners_setting: "enabled",
          prevent_sharing_groups_outside_hierarchy: false
        }
      },
      redirectRemoved(4, "engineering")
    ])
  })

  const member = { userId: 7, accessLevel: 30, expiresAt: "2024-07-01" }
  const key = { group_id: 9, user_id: 7 }
  const share = { group_id: 9, invited_group_id: 8 }
  it.each<[GroupEvent, ReadonlyArray<object>]>([
    [
      cases.GroupRenamed.make({ parentId: null, from: "Engineering", to: "Labs" }),
      [
        patch(subject, { path: "Labs", updated_at: at }),
        { _tag: "Put", table: "redirects", row: { parent_id: 0, path: "engineering", ...subject } },
        redirectRemoved(0, "labs")
      ]
    ],
    [
      cases.GroupRenamed.make({ parentId: 4, from: "labs", to: "Labs" }),
      [patch(subject, { path: "Labs", updated_at: at }), redirectRemoved(4, "labs")]
    ],
    [
      cases.GroupTransferred.make({ from: 4, to: null, path: "Labs" }),
      [
        patch(subject, { parent_id: null, updated_at: at }),
        { _tag: "Put", table: "redirects", row: { parent_id: 4, path: "labs", ...subject } },
        redirectRemoved(0, "labs")
      ]
    ],
    [
      cases.GroupChanged.make({ changes: { visibility: "public", emailsEnabled: false } }),
      [patch(subject, { visibility: "public", emails_enabled: false, updated_at: at })]
    ],
    [
      cases.GroupDeleted.make({}),
      [
        { _tag: "Remove", table: "namespaces", key: subject },
        { _tag: "RemoveWhere", table: "redirects", where: subject },
        { _tag: "RemoveWhere", table: "group_members", where: { group_id: 9 } },
        { _tag: "RemoveWhere", table: "group_shares", where: { group_id: 9 } },
        { _tag: "RemoveWhere", table: "group_shares", where: { invited_group_id: 9 } },
        { _tag: "RemoveWhere", table: "redirects", where: { parent_id: 9 } }
      ]
    ],
    [
      cases.MemberAdded.make({ ...member, addedBy: 1 }),
      [
        {
          _tag: "Put",
          table: "group_members",
          row: { ...key, access_level: 30, expires_at: "2024-07-01", created_at: at, updated_at: at, created_by: 1 }
        }
      ]
    ],
    [
      cases.MemberChanged.make(member),
      [{ _tag: "Patch", table: "group_members", key, columns: { access_level: 30, expires_at: "2024-07-01", updated_at: at } }]
    ],
    [cases.MemberRemoved.make({ userId: 7 }), [{ _tag: "Remove", table: "group_members", key }]],
    [
      cases.SharedWithGroup.make({ id: 5, groupId: 8, accessLevel: 30, expiresAt: "2024-07-01" }),
      [
        { _tag: "IdTaken", kind: "group_share", id: 5 },
        {
          _tag: "Put",
          table: "group_shares",
          row: { ...share, id: 5, access_level: 30, expires_at: "2024-07-01", created_at: at }
        }
      ]
    ],
    [cases.SharingEnded.make({ groupId: 8 }), [{ _tag: "Remove", table: "group_shares", key: share }]]
  ])("$_tag", (event, changes) => {
    expect(ofGroup(event)).toEqual(changes)
  })

  it("members of projects are none of a group", () => {
    expect(ofGroup(cases.MemberRemoved.make({ userId: 7 }), "project-9")).toEqual([])
  })
})

describe("of a user", () => {
  const account = { username: "Ada", email: "ada@example.com", admin: false, confirmed: true, createdBy: 1 }
  const row = {
    ...owner,
    id: 3,
    path: "Ada",
    name: "Ada L",
    parent_id: null,
    owner_id: 7,
    visibility: "public",
    description: "",
    created_at: at,
    updated_at: at
  }

  it("the namespace is a row", () => {
    expect(ofUser(user.UserCreated.make({ ...account, profile: defaultProfile("Ada L"), namespaceId: 3 }))).toEqual([
      { _tag: "IdTaken", kind: "namespace", id: 3 },
      { _tag: "Put", table: "namespaces", row },
      redirectRemoved(0, "ada")
    ])
  })

  it("that of an older log is a row without id until one is given", () => {
    expect(ofUser(user.UserCreated.make({ ...account, profile: defaultProfile("Ada L") }))).toEqual([
      { _tag: "Put", table: "namespaces", row: { ...row, id: null } },
      redirectRemoved(0, "ada")
    ])
  })

  it.each<[UserEvent, ReadonlyArray<object>]>([
    [user.NamespaceGiven.make({ namespaceId: 3 }), [{ _tag: "IdTaken", kind: "namespace", id: 3 }, patch(owner, { id: 3 })]],
    [
      user.UserRenamed.make({ from: "ada", to: "al" }),
      [
        patch(owner, { path: "al", updated_at: at }),
        { _tag: "Put", table: "redirects", row: { parent_id: 0, path: "ada", ...owner } },
        redirectRemoved(0, "al")
      ]
    ],
    [user.UserProfileChanged.make({ changes: { name: "Al" } }), [patch(owner, { name: "Al", updated_at: at })]],
    [user.UserProfileChanged.make({ changes: { bio: "b" } }), []],
    [
      user.UserDeleted.make({ hardDelete: false }),
      [
        { _tag: "Remove", table: "namespaces", key: owner },
        { _tag: "RemoveWhere", table: "redirects", where: owner },
        { _tag: "RemoveWhere", table: "group_members", where: { user_id: 7 } }
      ]
    ],
    [user.UserBlocked.make({}), []]
  ])("%o", (event, changes) => {
    expect(ofUser(event)).toEqual(changes)
  })
})
