import { HashMap, Result } from "effect"
import { describe, expect, it } from "vitest"
import { groupAggregate } from "#src/groups/aggregate.ts"
import type { Change, Command, Create, Surroundings, Transfer } from "#src/groups/commands.ts"
import { GroupEvent } from "#src/groups/events.ts"
import type { State } from "#src/groups/state.ts"
import { inspectedFaults } from "#src/http/answer/faults.ts"
import type { Visibility } from "#src/kernel/visibility.ts"
import type { Membership } from "#src/members/state.ts"
import { itDecides } from "#test/support/decisions.ts"
import { alone, attributes, change, commands, create, created, group, ownerAdded, states, transfer } from "./samples.ts"

const { decide } = groupAggregate

/** The tags of the events, or of the refusal. */
type Expected = ReadonlyArray<GroupEvent["_tag"]> | string
type Row = Record<Command["_tag"], Expected>

const missing: Omit<Row, "Create"> = {
  Change: "GroupMissing",
  Transfer: "GroupMissing",
  LimitVisibility: "GroupMissing",
  Delete: "GroupMissing",
  AddMember: "GroupMissing",
  ChangeMember: "GroupMissing",
  RemoveMember: "GroupMissing",
  EndMembership: "GroupMissing",
  ShareWithGroup: "GroupMissing",
  EndSharing: "GroupMissing"
}
const table: Record<State["_tag"], Row> = {
  Absent: { ...missing, Create: ["GroupCreated", "MemberAdded"] },
  Present: {
    Create: "GroupExists",
    Change: ["GroupChanged"],
    Transfer: ["GroupTransferred"],
    LimitVisibility: [],
    Delete: ["GroupDeleted"],
    AddMember: ["MemberAdded"],
    ChangeMember: "LastOwner",
    RemoveMember: "MemberMissing",
    EndMembership: ["MemberRemoved"],
    ShareWithGroup: ["SharedWithGroup"],
    EndSharing: "NotShared"
  },
  Deleted: { ...missing, Create: "GroupExists" }
}

const outcome = (command: Command, state: State): Expected =>
  Result.match(decide(command, state), {
    onFailure: ({ _tag }) => _tag,
    onSuccess: (events) => events.map(({ _tag }) => _tag)
  })

describe("every command in every state", () => {
  itDecides(outcome, { commands, states, table })
})

const { cases } = GroupEvent

/** Everything that is refused of a command, as `attribute text`. */
const faults = (command: Create | Change, state: State): ReadonlyArray<string> => {
  const refusal = Result.getOrThrow(Result.flip(decide(command, state)))
  return refusal._tag === "GroupInvalid" ? refusal.faults.map(({ attribute, text }) => `${attribute} ${text}`) : [refusal._tag]
}
const decided = (command: Command, state: State) => Result.getOrThrow(decide(command, state))

describe("a transfer", () => {
  const present = (more: Partial<typeof group>): State => ({ _tag: "Present", group: { ...group, ...more } })
  const below = present({ parentId: 7, attributes: { ...attributes, visibility: "public" } })
  const moved = cases.GroupTransferred.make({ from: 7, to: 8, path: "engineering" })
  const fromBelow = { ...transfer, from: { parentId: 7, path: "engineering" }, parentId: 8 }
  const up = { ...fromBelow, parentId: null, parentVisibility: null }
  const owners = (...users: ReadonlyArray<readonly [number, Membership]>) =>
    present({ parentId: 7, members: { users: HashMap.fromIterable(users), groups: HashMap.empty() } })
  const upwards = { ...moved, to: null }

  it.each<readonly [string, Transfer, State, unknown]>([
    ["below what shows less", fromBelow, below, [moved, cases.GroupChanged.make({ changes: { visibility: "private" } })]],
    ["below what shows as much", { ...fromBelow, parentVisibility: "public" }, below, [moved]],
    ["to the top level", up, below, [upwards]],
    [
      "to the top level, without a member",
      up,
      owners(),
      [upwards, cases.MemberAdded.make({ userId: 3, accessLevel: 50, expiresAt: null, addedBy: 3 })]
    ],
    [
      "to the top level, by a Maintainer beside an Owner whose membership has ended",
      up,
      owners([3, { accessLevel: 40, expiresAt: null }], [1, { accessLevel: 50, expiresAt: "2024-06-30" }]),
      [upwards, cases.MemberChanged.make({ userId: 3, accessLevel: 50, expiresAt: null })]
    ],
    ["to where it is", { ...fromBelow, parentId: 7 }, below, "GroupInPlace"],
    ["of a group that was renamed meanwhile", { ...fromBelow, from: { parentId: 7, path: "old" } }, below, "GroupMoved"],
    ["of a group that was moved meanwhile", { ...fromBelow, from: { parentId: 9, path: "engineering" } }, below, "GroupMoved"],
    ["below itself", { ...fromBelow, isBelowItself: true }, below, "GroupBelowItself"],
    ["to a path that is taken, below itself", { ...fromBelow, isBelowItself: true, pathTaken: true }, below, "GroupInvalid"],
    ["as deep as can be", { ...fromBelow, ancestors: 15, levelsBelow: 5 }, present({ parentId: 7 }), [moved]],
    ["deeper", { ...fromBelow, ancestors: 15, levelsBelow: 6 }, below, "GroupInvalid"]
  ])("%s", (_, command, state, expected) => {
    expect(Result.match(decide(command, state), { onFailure: ({ _tag }) => _tag, onSuccess: (events) => events })).toEqual(
      expected
    )
  })

  it("refuses a new path that was reserved elsewhere", () => {
    const rename: Change = { ...change, path: "labs", from: { parentId: null, path: "engineering" } }
    expect(outcome(rename, below)).toBe("GroupMoved")
    expect(outcome(rename, present({}))).toEqual(["GroupRenamed", "GroupChanged"])
  })
})

describe("creation", () => {
  it("makes its user the owner", () => {
    expect(decided(create, states.Absent)).toEqual([created, ownerAdded])
  })

  const nameFormat =
    "name can contain only letters, digits, emoji, '_', '.', dash, space, parenthesis. It must start with letter, digit, emoji or '_'."
  const pathFormat =
    "path can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'."

  it.each<[string, Partial<Create>, ReadonlyArray<string>]>([
    [
      "a blank name and path",
      { path: "", attributes: { ...attributes, name: " " } },
      ["name can't be blank", "path can't be blank"]
    ],
    ["an odd name", { attributes: { ...attributes, name: "-x" } }, [nameFormat]],
    ["a long name", { attributes: { ...attributes, name: "n".repeat(256) } }, ["name is too long (maximum is 255 characters)"]],
    [
      "a name of so many signs outside the basic plane",
      { attributes: { ...attributes, name: "\u{1f600}".repeat(256) } },
      ["name is too long (maximum is 255 characters)"]
    ],
    ["an odd path", { path: "a b" }, [pathFormat]],
    ["a path like a repository", { path: "a.git" }, [pathFormat]],
    ["a long path", { path: "p".repeat(256) }, ["path is too long (maximum is 255 characters)"]],
    ["a word of the server", { path: "API" }, ["path is a reserved name"]],
    ["a word of projects, below", { path: "tree", parentId: 7, parentVisibility: "public" }, ["path is a reserved name"]],
    ["a taken path", { pathTaken: true }, ["path has already been taken"]],
    [
      "a long description",
      { attributes: { ...attributes, description: "d".repeat(501) } },
      ["description is too long (maximum is 500 characters)"]
    ],
    [
      "more visibility than the parent has",
      { parentId: 7, parentVisibility: "private", attributes: { ...attributes, visibility: "internal" } },
      ["visibility_level internal is not allowed since the parent group has a private visibility."]
    ],
    ["more than twenty groups above it", { parentId: 7, ancestors: 21 }, ["parent_id has too deep level of nesting"]],
    [
      "a negative time",
      { attributes: { ...attributes, twoFactorGracePeriod: -1 } },
      ["two_factor_grace_period must be greater than or equal to 0"]
    ]
  ])("refuses %s", (_, input, expected) => {
    expect(faults({ ...create, ...input }, states.Absent)).toEqual(expected)
  })

  it.each(["Ünï 1", "_a (b).c-d", "🚀 Rockets", "東京"])("accepts the name %s", (name) => {
    expect(outcome({ ...create, attributes: { ...attributes, name } }, states.Absent)).toEqual(["GroupCreated", "MemberAdded"])
  })

  it.each(["tree", "a.b", "_x", "7"])("accepts the path %s at the top", (path) => {
    expect(outcome({ ...create, path }, states.Absent)).toEqual(["GroupCreated", "MemberAdded"])
  })
})

describe("a change", () => {
  it("records a new path apart, and only what differs", () => {
    const input: Change = { ...change, path: "labs", changes: { ...attributes, name: "Labs", visibility: "public" } }
    expect(decided(input, states.Present)).toEqual([
      cases.GroupRenamed.make({ parentId: null, from: "engineering", to: "labs" }),
      cases.GroupChanged.make({ changes: { name: "Labs", visibility: "public" } })
    ])
  })

  it("to what is there adds nothing, taken path or not", () => {
    expect(decided({ ...change, path: "engineering", changes: attributes, pathTaken: true }, states.Present)).toEqual([])
  })

  it("refuses a taken path", () => {
    expect(faults({ ...change, path: "labs", pathTaken: true }, states.Present)).toEqual(["path has already been taken"])
  })

  const internal: State = { _tag: "Present", group: { ...group, attributes: { ...attributes, visibility: "internal" } } }
  const inside = "is not allowed since this group contains projects with higher visibility."
  const below = "is not allowed since there are sub-groups with higher visibility."

  it.each<[Visibility, Partial<Surroundings>, ReadonlyArray<string>]>([
    ["public", { parentVisibility: "internal" }, ["public is not allowed since the parent group has a internal visibility."]],
    ["private", { projectVisibility: "internal" }, [`private ${inside}`]],
    ["private", { subgroupVisibility: "internal" }, [`private ${below}`]],
    ["private", { projectVisibility: "public", subgroupVisibility: "public" }, [`private ${inside}`, `private ${below}`]]
  ])("to %s is refused between %o", (visibility, around, texts) => {
    const input: Change = { ...change, changes: { visibility }, surroundings: { ...alone, ...around } }
    expect(faults(input, internal)).toEqual(texts.map((text) => `visibility_level ${text}`))
  })

  it("leaves a visibility that does not fit alone, as long as it does not change", () => {
    const surroundings: Surroundings = { ...alone, parentVisibility: "private" }
    expect(outcome({ ...change, surroundings }, internal)).toEqual(["GroupChanged"])
  })
})

it("faults are written as Ruby writes them", () => {
  const written = inspectedFaults([
    { attribute: "name", text: "can't be blank" },
    { attribute: "path", text: 'a "b" \\ #{c} #d' },
    { attribute: "path", text: "e" }
  ])
  expect(written).toBe('{:name=>["can\'t be blank"], :path=>["a \\"b\\" \\\\ \\#{c} #d", "e"]}')
})
