import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { camelCased, snakeCased } from "#src/kernel/letterCase.ts"
import { projectAggregate } from "#src/projects/aggregate.ts"
import type { Command } from "#src/projects/commands.ts"
import { ProjectEvent, type Protection, projectCodec } from "#src/projects/events.ts"
import { settingsFaults } from "#src/projects/faults.ts"
import { protecting } from "#src/projects/protectionFaults.ts"
import type { SettingsChanges } from "#src/projects/settings/settings.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"
import { create, place, protection, settings } from "./samples.ts"

const { decide, initial } = projectAggregate

const changes: fc.Arbitrary<SettingsChanges> = fc.oneof(
  fc.record({ name: fc.constantFrom("a", "b", ""), visibility: fc.constantFrom("private", "public" as const) }),
  fc.record({ topics: fc.array(fc.constantFrom("x", "y"), { maxLength: 2 }), description: fc.option(fc.string()) }),
  fc.record({ buildTimeout: fc.constantFrom(1, 600, 3600), ciDefaultGitDepth: fc.option(fc.integer()) }),
  fc.constant({})
)
const name = fc.constantFrom("main", "v*", "*", "a/b")
const kind = fc.constantFrom("branch", "tag" as const)
const levels = fc.array(fc.constantFrom(0, 30, 40, 7), { maxLength: 2 })
const grants = levels.map((list) => list.map((accessLevel, id) => ({ id, accessLevel })))
const protections: fc.Arbitrary<Protection> = fc.record({
  id: fc.nat(3),
  kind,
  name,
  allowForcePush: fc.boolean(),
  push: grants,
  merge: grants
})
const user = fc.nat(2)
const level = fc.constantFrom(10, 20, 30, 40, 50)
const losing = { today: "2026-01-01", actingLevel: 50, hasOtherOwner: true, hasInheritedOwner: true }

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ namespaceId: fc.nat(2), ownerId: fc.option(user) }).map((fields): Command => ({ ...create, ...fields })),
  fc
    .record({ changes, path: fc.constantFrom("a", "b", "-"), defaultBranch: fc.constantFrom("main", "a..b") })
    .map((fields): Command => ({ _tag: "Change", ceilings: [], ...fields })),
  name.map((defaultBranch): Command => ({ _tag: "Fill", defaultBranch, protection: { ...protection, name: defaultBranch } })),
  fc
    .record({
      from: fc.nat(2).map((namespaceId) => ({ ...place, namespaceId })),
      namespaceId: fc.nat(2),
      ownerId: fc.option(user),
      maxVisibility: fc.constantFrom("private", "public" as const)
    })
    .map((fields): Command => ({ _tag: "Transfer", by: 1, ...fields })),
  fc.option(fc.constant("README")).map((readme): Command => ({ _tag: "NoteReadme", readme })),
  protections.map((protection): Command => ({ _tag: "Protect", protection })),
  fc.record({ kind, name, push: grants }).map((fields): Command => ({ _tag: "ChangeProtection", ...fields })),
  fc.record({ kind, name }).map((fields): Command => ({ _tag: "Unprotect", ...fields })),
  fc.constantFrom<Command>({ _tag: "Archive" }, { _tag: "Unarchive" }, { _tag: "Delete" }),
  fc
    .record({ userId: user, accessLevel: level })
    .map((fields): Command => ({ _tag: "AddMember", addedBy: 1, expiresAt: null, ...losing, ...fields })),
  fc.record({ userId: user, accessLevel: level }).map((fields): Command => ({ _tag: "ChangeMember", ...losing, ...fields })),
  user.map((userId): Command => ({ _tag: "RemoveMember", userId, ...losing }))
)

const { cases } = ProjectEvent
const event: fc.Arbitrary<ProjectEvent> = fc.oneof(
  fc.constantFrom<ProjectEvent>(
    cases.ProjectArchived.make({}),
    cases.ProjectUnarchived.make({}),
    cases.ProjectDeleted.make({}),
    cases.ProjectRenamed.make({ namespaceId: 2, from: "a", to: "b" }),
    cases.ProjectTransferred.make({ from: 2, to: 3, path: "a" }),
    cases.ReadmeChanged.make({ readme: "README" }),
    cases.DefaultBranchChanged.make({ branch: "x" }),
    cases.RepositoryFilled.make({ defaultBranch: "y" }),
    cases.RefUnprotected.make({ id: 1, kind: "tag", name: "v*" })
  ),
  fc
    .record({ path: fc.constantFrom("a", "b"), forkedFrom: fc.option(fc.nat(3)) })
    .map(({ forkedFrom, path }) =>
      cases.ProjectCreated.make({ namespaceId: 2, creatorId: 1, path, defaultBranch: null, settings, forkedFrom })
    ),
  changes.map((changed) => cases.ProjectSettingsChanged.make({ changes: changed })),
  protections.map((protection) => cases.RefProtected.make({ protection })),
  protections.map((protection) => cases.RefProtectionChanged.make({ protection })),
  fc
    .record({ userId: user, accessLevel: level, expiresAt: fc.option(fc.constant("2026-01-01")) })
    .chain((member) =>
      fc.constantFrom<ProjectEvent>(cases.MemberAdded.make({ ...member, addedBy: null }), cases.MemberChanged.make(member))
    ),
  user.map((userId) => cases.MemberRemoved.make({ userId }))
)
const events = fc.array(event, { maxLength: 8 })
const fold = foldOf(projectAggregate)
const step = stepOf(projectAggregate)

describe("laws of projects", () => {
  itFoldsInParts(fold, event)

  it("a deleted project stays deleted", () => {
    fc.assert(
      fc.property(events, (history) => {
        const state = fold([...history, cases.ProjectDeleted.make({})], fold([cases.ProjectArchived.make({})]))
        fc.pre(state._tag === "Deleted")
        expect(fold(history, state)).toEqual(state)
      })
    )
  })

  it("a command that was carried out adds nothing the second time, or is refused", () => {
    fc.assert(
      fc.property(events, command, (history, given) => {
        const state = fold(history)
        const first = decide(given, state)
        fc.pre(Result.isSuccess(first))
        const again = decide(given, fold(first.success, state))
        expect(Result.getOrElse(again, () => [])).toEqual([])
      })
    )
  })

  it("whatever commands come, nothing is wrong with the project, and no name is protected twice", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 10 }), (given) => {
        const state = [create, ...given].reduce(step, initial)
        fc.pre(state._tag === "Active" || state._tag === "Archived")
        expect(settingsFaults(state.project.settings, [])).toEqual([])
        const names = state.project.protections.map((one) => `${one.kind} ${one.name}`)
        expect(new Set(names).size).toBe(names.length)
      })
    )
  })

  itIsStored(projectCodec, event)

  it("settings keep their names through a table", () => {
    fc.assert(
      fc.property(changes, (given) => {
        expect(camelCased(snakeCased({ ...settings, ...given }))).toEqual({ ...settings, ...given })
      })
    )
  })

  it("a pattern matches what its expression would", () => {
    const letters = fc.stringMatching(/^[ab/]{0,6}$/)
    fc.assert(
      fc.property(fc.stringMatching(/^[ab*/]{0,5}$/), letters, (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll("*", ".*")}$`)
        expect(protecting([{ name: pattern }], text).length === 1).toBe(expression.test(text))
      })
    )
  })
})
