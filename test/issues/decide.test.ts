import { describe, expect, it } from "vitest"
import {
  type Command,
  type Issue,
  issueAggregate,
  type LabelChanges,
  type Refusal,
  type State,
  type Update
} from "#src/issues/aggregate.ts"
import { type AttributeChanges, IssueEvent as Event, type IssueEvent } from "#src/issues/events.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"
import { attributes, issue, open, opened, states, update } from "./samples.ts"

const event = Event.cases
const outcome = outcomeOf(issueAggregate)

type Expected = ReadonlyArray<IssueEvent> | Refusal["_tag"]

const commands: { readonly [Tag in Command["_tag"]]: Command } = {
  Open: open,
  Update: update,
  CloseByMerge: { _tag: "CloseByMerge", by: 8, mergeRequestId: 84 },
  Delete: { _tag: "Delete" }
}

const table: Record<State["_tag"], Record<Command["_tag"], Expected>> = {
  Absent: { Open: [opened], Update: "IssueMissing", CloseByMerge: "IssueMissing", Delete: "IssueMissing" },
  Present: {
    Open: "IssueExists",
    Update: [event.IssueChanged.make({ changes: { title: "Uploads are slow" } })],
    CloseByMerge: [event.IssueClosed.make({ by: 8, mergeRequestId: 84 })],
    Delete: [event.IssueDeleted.make({})]
  },
  Deleted: { Open: "IssueExists", Update: "IssueMissing", CloseByMerge: "IssueMissing", Delete: "IssueMissing" }
}

describe("every command in every state", () => {
  itDecides(outcome, { commands, states, table })
})

const present = (changed: Partial<Issue> = {}): State => ({ _tag: "Present", issue: { ...issue, ...changed } })
const locked = { ...attributes, isDiscussionLocked: true }
const [closed, reopened] = [event.IssueClosed.make({ by: 8 }), event.IssueReopened.make({ by: 8 })]

describe("transitions", () => {
  it.each<[Required<Update>["transition"], Partial<Issue>, ReadonlyArray<IssueEvent>]>([
    ["close", { isOpen: true }, [closed]],
    ["close", { isOpen: false }, []],
    ["close", { isOpen: true, attributes: locked }, [closed]],
    ["reopen", { isOpen: true }, []],
    ["reopen", { isOpen: false }, [reopened]],
    ["reopen", { isOpen: false, attributes: locked }, []]
  ])("%s of %j", (transition, state, expected) => {
    expect(outcome({ ...update, changes: {}, transition }, present(state))).toEqual(expected)
  })

  it("of a merge leave what is closed as it is", () => {
    expect(outcome(commands.CloseByMerge, present({ isOpen: false }))).toEqual([])
  })
})

describe("labels", () => {
  it.each<[LabelChanges, ReadonlyArray<number> | undefined]>([
    [{ added: [], removed: [] }, undefined],
    [{ added: [2, 3], removed: [] }, [1, 2, 3]],
    [{ added: [], removed: [2, 9] }, [1]],
    [{ replaced: [], added: [], removed: [] }, []],
    [{ replaced: [4], added: [5, 5], removed: [4] }, [5]],
    [{ replaced: [2, 1], added: [], removed: [] }, undefined],
    [{ added: [3], removed: [3] }, undefined]
  ])("%j", (labels, labelIds) => {
    const expected = labelIds === undefined ? [] : [event.IssueChanged.make({ changes: { labelIds } })]
    expect(outcome({ ...update, changes: {}, labels }, present())).toEqual(expected)
  })
})

describe("attributes", () => {
  it("that are as they were change nothing", () => {
    expect(outcome({ ...update, changes: attributes }, present())).toEqual([])
  })

  it.each<[AttributeChanges, boolean]>([
    [{ title: " " }, false],
    [{ title: "x".repeat(255) }, true],
    [{ title: "😀".repeat(255) }, true],
    [{ title: "x".repeat(256) }, false],
    [{ description: "x".repeat(1_048_576) }, true],
    [{ description: "x".repeat(1_048_577) }, false],
    [{ labelIds: Array.from({ length: 500 }, (_, id) => id) }, true],
    [{ labelIds: Array.from({ length: 501 }, (_, id) => id) }, false]
  ])("row %#", (changes, isFine) => {
    const tagOf = (told: Expected) => (typeof told === "string" ? told : told.map(({ _tag }) => _tag))
    const { labelIds, ...others } = changes
    const labels = labelIds === undefined ? {} : { labels: { replaced: labelIds, added: [], removed: [] } }
    expect(tagOf(outcome({ ...open, attributes: { ...attributes, ...changes } }, states.Absent))).toEqual(
      isFine ? ["IssueOpened"] : "IssueInvalid"
    )
    expect(tagOf(outcome({ ...update, changes: others, ...labels }, present()))).toEqual(
      isFine ? ["IssueChanged"] : "IssueInvalid"
    )
  })
})
