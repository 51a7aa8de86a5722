import { HashMap, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { MemberRefusal } from "#src/members/errors.ts"
import { MemberEvent } from "#src/members/events.ts"
import { levelName } from "#src/members/levels.ts"
import { type AddMember, type ChangeMember, decideMember, type MemberCommand, type RemoveMember } from "#src/members/rules.ts"
import type { ShareWithGroup } from "#src/members/shares.ts"
import { evolveMembers, type Members, type Membership, noMembers } from "#src/members/state.ts"
import { foldOf, itFoldsInParts, stepOf } from "#test/support/aggregateLaws.ts"

const today = "2024-06-30"
const [owner, other, developer, former] = [1, 2, 3, 4]

const add: AddMember = {
  _tag: "AddMember",
  userId: 9,
  accessLevel: 30,
  expiresAt: null,
  addedBy: owner,
  today,
  actingLevel: 50
}
const losing = { today, actingLevel: 50, hasOtherOwner: true, hasInheritedOwner: false }
const change: ChangeMember = { _tag: "ChangeMember", userId: developer, accessLevel: 40, ...losing }
const remove: RemoveMember = { _tag: "RemoveMember", userId: developer, ...losing }

const leave = (userId: number): MemberCommand => ({ _tag: "EndMembership", userId })

const [team, formerTeam] = [11, 12]
const share: ShareWithGroup = {
  _tag: "ShareWithGroup",
  id: 7,
  groupId: 13,
  accessLevel: 40,
  expiresAt: null,
  today,
  actingLevel: 40
}
const unshare = { _tag: "EndSharing", groupId: team, today, actingLevel: 40 } as const

const of = (...users: ReadonlyArray<readonly [number, Membership]>): Members => ({
  users: HashMap.fromIterable(users),
  groups: HashMap.make([team, { accessLevel: 40, expiresAt: null }], [formerTeam, { accessLevel: 50, expiresAt: today }])
})
const everybody = [
  [owner, { accessLevel: 50, expiresAt: null }],
  [developer, { accessLevel: 30, expiresAt: null }],
  [former, { accessLevel: 50, expiresAt: today }]
] as const
const members = of(...everybody)
const twoOwners = of(...everybody, [other, { accessLevel: 50, expiresAt: null }])

type Expected = ReadonlyArray<MemberEvent> | MemberRefusal["_tag"]
const { cases } = MemberEvent

const rows: ReadonlyArray<readonly [given: string, command: MemberCommand, present: Members, expected: Expected]> = [
  [
    "adding a user who is no member",
    add,
    members,
    [cases.MemberAdded.make({ userId: 9, accessLevel: 30, expiresAt: null, addedBy: owner })]
  ],
  ["adding a member", { ...add, userId: developer }, members, "MemberExists"],
  [
    "adding one whose membership has ended",
    { ...add, userId: former, expiresAt: "2024-07-01" },
    members,
    [cases.MemberAdded.make({ userId: former, accessLevel: 30, expiresAt: "2024-07-01", addedBy: owner })]
  ],
  ["giving more than one has", { ...add, accessLevel: 50, actingLevel: 40 }, members, "AboveOwnLevel"],
  [
    "giving what one has",
    { ...add, accessLevel: 40, actingLevel: 40 },
    noMembers,
    [cases.MemberAdded.make({ userId: 9, accessLevel: 40, expiresAt: null, addedBy: owner })]
  ],
  ["another level", change, members, [cases.MemberChanged.make({ userId: developer, accessLevel: 40, expiresAt: null })]],
  ["the same level", { ...change, accessLevel: 30 }, members, []],
  [
    "only another date",
    { _tag: "ChangeMember", userId: developer, expiresAt: "2024-07-01", ...losing },
    members,
    [cases.MemberChanged.make({ userId: developer, accessLevel: 30, expiresAt: "2024-07-01" })]
  ],
  ["raising above one's own level", { ...change, accessLevel: 50, actingLevel: 40 }, members, "AboveOwnLevel"],
  ["lowering one who is above", { ...change, userId: owner, actingLevel: 40 }, twoOwners, "AboveOwnLevel"],
  ["changing a user who is no member", { ...change, userId: 9 }, members, "MemberMissing"],
  ["changing one whose membership has ended", { ...change, userId: former }, members, "MemberMissing"],
  ["lowering the last owner", { ...change, userId: owner }, members, "LastOwner"],
  ["a date for the last owner", { ...change, userId: owner, accessLevel: 50, expiresAt: "2024-07-01" }, members, "LastOwner"],
  [
    "lowering one of two owners",
    { ...change, userId: owner },
    twoOwners,
    [cases.MemberChanged.make({ userId: owner, accessLevel: 40, expiresAt: null })]
  ],
  [
    "lowering one of two owners of whom the other is deleted",
    { ...change, userId: owner, hasOtherOwner: false },
    twoOwners,
    "LastOwner"
  ],
  [
    "lowering the last owner where there are some above",
    { ...change, userId: owner, hasInheritedOwner: true },
    members,
    [cases.MemberChanged.make({ userId: owner, accessLevel: 40, expiresAt: null })]
  ],
  ["removing a member", remove, members, [cases.MemberRemoved.make({ userId: developer })]],
  ["removing a user who is no member", { ...remove, userId: 9 }, members, "MemberMissing"],
  ["removing one whose membership has ended", { ...remove, userId: former }, members, "MemberMissing"],
  ["removing one who is above", { ...remove, userId: owner, actingLevel: 40 }, twoOwners, "AboveOwnLevel"],
  ["removing the last owner", { ...remove, userId: owner }, members, "LastOwner"],
  ["removing one of two owners", { ...remove, userId: owner }, twoOwners, [cases.MemberRemoved.make({ userId: owner })]],
  ["leaving what lies above", leave(developer), members, [cases.MemberRemoved.make({ userId: developer })]],
  ["leaving it as the last owner here", leave(owner), members, [cases.MemberRemoved.make({ userId: owner })]],
  ["leaving it after the membership here has ended", leave(former), members, [cases.MemberRemoved.make({ userId: former })]],
  ["leaving it without a membership here", leave(9), members, []],
  ["inviting a group", share, members, [cases.SharedWithGroup.make({ id: 7, groupId: 13, accessLevel: 40, expiresAt: null })]],
  ["inviting a group that is invited", { ...share, groupId: team }, members, "AlreadyShared"],
  [
    "inviting one whose share has ended",
    { ...share, groupId: formerTeam, expiresAt: "2024-07-01" },
    members,
    [cases.SharedWithGroup.make({ id: 7, groupId: formerTeam, accessLevel: 40, expiresAt: "2024-07-01" })]
  ],
  ["inviting with more than one has", { ...share, accessLevel: 50 }, members, "AboveOwnLevel"],
  ["ending a share", unshare, members, [cases.SharingEnded.make({ groupId: team })]],
  ["ending the share of a group that is not invited", { ...unshare, groupId: 13 }, members, "NotShared"],
  ["ending a share that has ended", { ...unshare, groupId: formerTeam }, members, "NotShared"],
  ["ending a share of more than one has", { ...unshare, actingLevel: 30 }, members, "AboveOwnLevel"]
]

it.each(rows)("%s", (_, command, present, expected) => {
  const outcome = Result.match(decideMember(command, present), { onFailure: ({ _tag }) => _tag, onSuccess: (events) => events })
  expect(outcome).toEqual(expected)
})

it.each([
  [5, "Minimal Access"],
  [10, "Guest"],
  [20, "Reporter"],
  [30, "Developer"],
  [40, "Maintainer"],
  [50, "Owner"],
  [7, ""]
] as const)("level %i is called %s", (level, name) => {
  expect(levelName(level)).toBe(name)
})

const user = fc.constantFrom(1, 2, 3)
const level = fc.constantFrom(10, 30, 40, 50)
const date = fc.option(fc.constantFrom("2024-06-29", today, "2024-07-01"))
const event: fc.Arbitrary<MemberEvent> = fc.oneof(
  fc
    .record({ userId: user, accessLevel: level, expiresAt: date, addedBy: fc.option(user) })
    .map((added) => cases.MemberAdded.make(added)),
  fc.record({ userId: user, accessLevel: level, expiresAt: date }).map((changed) => cases.MemberChanged.make(changed)),
  user.map((userId) => cases.MemberRemoved.make({ userId })),
  fc
    .record({ id: fc.nat(), groupId: user, accessLevel: level, expiresAt: date })
    .map((shared) => cases.SharedWithGroup.make(shared)),
  user.map((groupId) => cases.SharingEnded.make({ groupId }))
)
const events = fc.array(event, { maxLength: 8 })
const common = { userId: user, actingLevel: fc.constantFrom(40, 50, Number.POSITIVE_INFINITY), today: fc.constant(today) }
const owners = { hasOtherOwner: fc.constant(true), hasInheritedOwner: fc.constant(false) }
const command: fc.Arbitrary<MemberCommand> = fc.oneof(
  fc
    .record({ ...common, accessLevel: level, expiresAt: date, addedBy: fc.option(user) })
    .map((input): MemberCommand => ({ _tag: "AddMember", ...input })),
  fc
    .record({ ...common, ...owners, accessLevel: level, expiresAt: date })
    .map((input): MemberCommand => ({ _tag: "ChangeMember", ...input })),
  fc.record({ ...common, ...owners }).map((input): MemberCommand => ({ _tag: "RemoveMember", ...input })),
  fc
    .record({
      id: fc.nat(),
      groupId: user,
      actingLevel: common.actingLevel,
      today: common.today,
      accessLevel: level,
      expiresAt: date
    })
    .map((input): MemberCommand => ({ _tag: "ShareWithGroup", ...input })),
  fc
    .record({ groupId: user, actingLevel: common.actingLevel, today: common.today })
    .map((input): MemberCommand => ({ _tag: "EndSharing", ...input }))
)
const decider = { initial: noMembers, decide: decideMember, evolve: evolveMembers }
const fold = foldOf(decider)
const step = stepOf(decider)
const membershipsOf = ({ users }: Members) => [...HashMap.values(users)]
const lasting = (present: Members): number =>
  membershipsOf(present).filter(({ accessLevel, expiresAt }) => accessLevel === 50 && expiresAt === null).length

describe("laws of members", () => {
  itFoldsInParts(fold, event)

  it("a command that was followed is refused or adds nothing the second time", () => {
    fc.assert(
      fc.property(events, command, (history, given) => {
        const before = fold(history)
        const first = decideMember(given, before)
        // What ends at once is no membership the second time either.
        fc.pre(Result.isSuccess(first) && !("expiresAt" in given && given.expiresAt !== null && given.expiresAt <= today))
        const second = decideMember(given, fold(Result.getOrThrow(first), before))
        expect(Result.isFailure(second) || second.success.length === 0).toBe(true)
      })
    )
  })

  it("who has an owner without end keeps one", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
        const begun: Members = { ...noMembers, users: HashMap.make([1, { accessLevel: 50, expiresAt: null }]) }
        const after = commands.reduce(step, begun)
        const owned = membershipsOf(after).filter(
          ({ accessLevel, expiresAt }) => accessLevel === 50 && (expiresAt === null || expiresAt > today)
        )
        expect([lasting(begun), owned.length > 0]).toEqual([1, true])
      })
    )
  })
})
