import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { groupAggregate } from "#src/groups/aggregate.ts"
import { defaultAttributes, withDetails } from "#src/groups/attributes.ts"
import type { Command } from "#src/groups/commands.ts"
import { type AttributeChanges, GroupEvent, groupCodec } from "#src/groups/events.ts"
import { attributeFaults } from "#src/groups/faults.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"
import { alone, create } from "./samples.ts"

const { decide, initial } = groupAggregate

const text = fc.string({ maxLength: 6 })
const name = fc.oneof(fc.constantFrom("Labs", "Research"), text)
const visibility = fc.constantFrom("private", "internal", "public" as const)
const changes: fc.Arbitrary<AttributeChanges> = fc.oneof(
  fc.record({ name, visibility }),
  fc.record({ description: text, autoDevopsEnabled: fc.option(fc.boolean()) }),
  fc.record({ defaultBranchProtection: fc.option(fc.nat(4)) }).map(withDetails),
  fc.record({ projectCreationLevel: fc.constantFrom("noone", "maintainer", "developer" as const), emailsEnabled: fc.boolean() }),
  fc.constant({})
)
const attributes = fc.tuple(name, changes).map(([named, others]) => ({ ...defaultAttributes(named), ...others }))
const path = fc.constantFrom("a", "B", "-", "api")
const parentId = fc.option(fc.constantFrom(7))
const user = fc.constantFrom(1, 2)
const membership = { userId: user, accessLevel: fc.constantFrom(10, 50), expiresAt: fc.option(fc.constantFrom("2024-07-01")) }

const { cases } = GroupEvent
const event: fc.Arbitrary<GroupEvent> = fc.oneof(
  fc.record({ path, parentId, attributes, createdBy: fc.option(user) }).map((it) => cases.GroupCreated.make(it)),
  fc.record({ parentId, from: path, to: path }).map((it) => cases.GroupRenamed.make(it)),
  fc.record({ from: parentId, to: parentId, path }).map((it) => cases.GroupTransferred.make(it)),
  changes.map((changed) => cases.GroupChanged.make({ changes: changed })),
  fc.record({ ...membership, addedBy: fc.option(user) }).map((it) => cases.MemberAdded.make(it)),
  fc.record(membership).map((it) => cases.MemberChanged.make(it)),
  user.map((userId) => cases.MemberRemoved.make({ userId })),
  fc
    .record({ id: fc.nat(), groupId: user, accessLevel: membership.accessLevel, expiresAt: membership.expiresAt })
    .map((it) => cases.SharedWithGroup.make(it)),
  user.map((groupId) => cases.SharingEnded.make({ groupId })),
  fc.constant(cases.GroupDeleted.make({}))
)
const events = fc.array(event, { maxLength: 8 })

const change = fc
  .record({ path, changes, pathTaken: fc.boolean() })
  .map((input): Command => ({ _tag: "Change", surroundings: alone, ...input }))
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ path, attributes, pathTaken: fc.boolean() }).map((input): Command => ({ ...create, ...input })),
  change,
  fc.constant<Command>({ _tag: "Delete" })
)

const fold = foldOf(groupAggregate)
const step = stepOf(groupAggregate)

describe("laws of groups", () => {
  itFoldsInParts(fold, event)

  it("a deleted group stays deleted", () => {
    fc.assert(
      fc.property(events, events, (first, second) => {
        const before = fold(first)
        fc.pre(before._tag === "Deleted")
        expect(fold(second, before)).toEqual(before)
      })
    )
  })

  it("a change that was made changes nothing the second time", () => {
    fc.assert(
      fc.property(events, change, (history, query) => {
        const state = fold(history)
        const first = decide(query, state)
        fc.pre(Result.isSuccess(first))
        expect(decide(query, fold(Result.getOrThrow(first), state))).toEqual(Result.succeed([]))
      })
    )
  })

  it("whatever commands come, nothing is wrong with the group that they make", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 8 }), (commands) => {
        const state = commands.reduce(step, initial)
        expect(state._tag === "Present" ? attributeFaults(state.group.attributes, alone) : []).toEqual([])
      })
    )
  })

  itIsStored(groupCodec, event)
})
