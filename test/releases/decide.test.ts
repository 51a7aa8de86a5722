import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { type Command, maxLinks, maxLinksLength, releaseAggregate, type State } from "#src/releases/aggregate.ts"
import { ReleaseEvent } from "#src/releases/events.ts"
import { maxDescriptionLength } from "#src/releases/faults.ts"
import { releaseKeyOf, releaseStream } from "#src/releases/ids.ts"
import { foldOf } from "#test/support/aggregateLaws.ts"
import { outcomeOf } from "#test/support/decisions.ts"
import { createOf, link, newRelease, otherLink, presentState } from "./samples.ts"

const outcome = outcomeOf(releaseAggregate)
const { cases } = ReleaseEvent
const by = 5

const states = {
  missing: undefined,
  present: presentState,
  recorded: { ...presentState, hasEvidence: true }
} as const satisfies Record<string, State>

const commands: { readonly [Tag in Command["_tag"]]: Extract<Command, { readonly _tag: Tag }> } = {
  Create: { _tag: "Create", by, release: newRelease },
  Change: { _tag: "Change", by, changes: { name: "Second", description: "Words" } },
  Delete: { _tag: "Delete", by },
  AddLink: { _tag: "AddLink", by, link: otherLink },
  ChangeLink: { _tag: "ChangeLink", by, id: 1, changes: { name: "Tools", type: "package" } },
  RemoveLink: { _tag: "RemoveLink", by, id: 1 },
  CollectEvidence: { _tag: "CollectEvidence", id: 7, position: 9, summary: "{}", sha256: "b" }
}
type Expected = ReadonlyArray<ReleaseEvent> | string

const changed = cases.ReleaseChanged.make({ by, name: "Second" })
const collected = cases.EvidenceCollected.make({ position: 9, summary: "{}", sha256: "b" })
const ofPresent = {
  Create: "ReleaseExists",
  Change: [changed],
  Delete: [cases.ReleaseDeleted.make({ by })],
  AddLink: [cases.ReleaseLinkAdded.make({ by, link: otherLink })],
  ChangeLink: [cases.ReleaseLinkChanged.make({ by, link: { ...link, name: "Tools" } })],
  RemoveLink: [cases.ReleaseLinkRemoved.make({ by, id: 1 })],
  CollectEvidence: [collected]
}

const table: Record<keyof typeof states, Record<Command["_tag"], Expected>> = {
  missing: {
    Create: [cases.ReleaseCreated.make({ by, ...newRelease })],
    Change: "ReleaseMissing",
    Delete: "ReleaseMissing",
    AddLink: "ReleaseMissing",
    ChangeLink: "ReleaseMissing",
    RemoveLink: "ReleaseMissing",
    CollectEvidence: "ReleaseMissing"
  },
  present: ofPresent,
  recorded: { ...ofPresent, CollectEvidence: [] }
}

it.each(Object.keys(table) as ReadonlyArray<keyof typeof table>)("what commands come to where a release is %s", (name) => {
  const outcomes = Object.values<Command>(commands).map((command) => [command._tag, outcome(command, states[name])])
  expect(Object.fromEntries(outcomes)).toEqual(table[name])
})

describe("details of commands", () => {
  it.each<[string, Command, Expected]>([
    ["nothing is changed", { _tag: "Change", by, changes: {} }, []],
    ["to what it is", { _tag: "Change", by, changes: { name: "First", milestoneIds: [3, 4] } }, []],
    [
      "other milestones",
      { _tag: "Change", by, changes: { milestoneIds: [4] } },
      [cases.ReleaseChanged.make({ by, milestoneIds: [4] })]
    ],
    [
      "no name, no milestones, another time",
      { _tag: "Change", by, changes: { name: null, description: null, milestoneIds: [], releasedAt: 12 } },
      [cases.ReleaseChanged.make({ by, name: null, description: null, milestoneIds: [], releasedAt: 12 })]
    ],
    ["a link again", { _tag: "AddLink", by, link }, []],
    ["a link to what it is", { _tag: "ChangeLink", by, id: 1, changes: { name: "Tool" } }, []],
    ["an unknown link", { _tag: "ChangeLink", by, id: 9, changes: { name: "Tool" } }, "LinkMissing"],
    ["removes an unknown link", { _tag: "RemoveLink", by, id: 9 }, "LinkMissing"],
    ["evidence of another release of the tag", { ...commands.CollectEvidence, id: 6 }, "ReleaseMissing"]
  ])("%s", (_, command, expected) => {
    expect(outcome(command, presentState)).toEqual(expected)
  })

  it("a release has at most so many links", () => {
    const links = Array.from({ length: maxLinks }, (_, index) => ({
      ...otherLink,
      id: index + 10,
      name: `n${index}`,
      url: `https://example.com/${index}`
    }))
    expect(outcome(createOf({ links }), undefined)).toEqual([cases.ReleaseCreated.make({ by, ...newRelease, links })])
    expect(outcome(createOf({ links: [...links, link] }), undefined)).toBe("TooManyLinks")
    expect(outcome({ _tag: "AddLink", by, link }, { ...presentState, links })).toBe("TooManyLinks")
  })

  it("the links of a release are together at most so long", () => {
    const count = 128
    const links = Array.from({ length: count }, (_, index) => {
      const name = `n${index}`
      return {
        ...otherLink,
        id: index + 10,
        name,
        url: `https://example.com/${index}/`.padEnd(maxLinksLength / count - name.length, "a")
      }
    })
    expect(outcome(createOf({ links }), undefined)).toEqual([cases.ReleaseCreated.make({ by, ...newRelease, links })])
    const state = { ...presentState, links }
    expect(outcome({ _tag: "AddLink", by, link }, state)).toBe("TooManyLinks")
    expect(outcome({ _tag: "ChangeLink", by, id: 10, changes: { name: "n00" } }, state)).toBe("TooManyLinks")
    const shorter = { ...otherLink, id: 10, name: "n", url: String(links[0]?.url) }
    expect(outcome({ _tag: "ChangeLink", by, id: 10, changes: { name: "n" } }, state)).toEqual([
      cases.ReleaseLinkChanged.make({ by, link: shorter })
    ])
  })
})

describe("texts of releases", () => {
  const tooLong = (max: number) => `is too long (maximum is ${max} characters)`
  const [name, description] = ["n".repeat(256), "d".repeat(maxDescriptionLength + 1)]
  const faults = [
    { attribute: "name", text: tooLong(255) },
    { attribute: "description", text: tooLong(1_000_000) }
  ]

  it.each<[string, Command, State]>([
    ["created", createOf({ name, description }), undefined],
    ["changed", { _tag: "Change", by, changes: { name, description } }, presentState]
  ])("have a longest length when they are %s", (_, command, state) => {
    expect(releaseAggregate.decide(command, state)).toMatchObject(Result.fail({ faults }))
  })

  it.each<[string, Command, State]>([
    ["created", createOf({ name: name.slice(1), description: description.slice(1) }), undefined],
    ["changed", { _tag: "Change", by, changes: { name: name.slice(1), description: description.slice(1) } }, presentState]
  ])("may be that long when they are %s", (_, command, state) => {
    expect(outcome(command, state)).toHaveLength(1)
  })
})

it("a release that was deleted can be made again, without anything of the first one", () => {
  const fold = foldOf(releaseAggregate)
  const created = cases.ReleaseCreated.make({ by, ...newRelease })
  const before = [created, cases.ReleaseLinkAdded.make({ by, link: otherLink }), collected]
  expect(fold(before)).toEqual({ ...presentState, links: [link, otherLink], hasEvidence: true })
  const deleted = [...before, cases.ReleaseDeleted.make({ by })]
  expect(fold(deleted)).toBeUndefined()
  expect(fold([...deleted, cases.ReleaseLinkAdded.make({ by, link })])).toBeUndefined()
  expect(fold([...deleted, cases.ReleaseCreated.make({ by, ...newRelease, id: 8 })])).toEqual({ ...presentState, id: 8 })
})

it("links are changed and removed where they are", () => {
  const links = [link, otherLink]
  const changedLink = { ...link, path: null }
  const fold = foldOf(releaseAggregate)
  const state = { ...presentState, links }
  expect(fold([cases.ReleaseLinkChanged.make({ by, link: changedLink })], state)).toEqual({
    ...presentState,
    links: [changedLink, otherLink]
  })
  expect(fold([cases.ReleaseLinkRemoved.make({ by, id: 1 })], state)).toEqual({ ...presentState, links: [otherLink] })
  expect(fold([changed], state)).toEqual({ ...state, name: "Second" })
})

it.each(["v1.0", "debian/2.4.0-1", "-1-2", "é"])("the stream of %s belongs to its project and tag", (tag) => {
  expect(releaseKeyOf(releaseStream({ projectId: 4, tag }))).toEqual({ projectId: 4, tag })
})

it.each(["project-4", "release-4", "release-4-", "release-x-v1"])("%s is the stream of no release", (stream) => {
  expect(releaseKeyOf(stream)).toBeUndefined()
})
