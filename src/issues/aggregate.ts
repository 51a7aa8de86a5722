import { Result } from "effect"
import { effectiveChanges } from "../kernel/effectiveChanges.ts"
import type { Aggregate } from "../platform/Aggregate.ts"
import {
  type CloseByMerge,
  type Command,
  type Decision,
  IssueExists,
  IssueInvalid,
  IssueMissing,
  type LabelChanges,
  type Open,
  type Refusal,
  type Update
} from "./commands.ts"
import { type AttributeChanges, type Attributes, IssueEvent, issueCodec } from "./events.ts"
import { attributeFaults } from "./faults.ts"
import { type IssueKey, issueStream } from "./ids.ts"

export interface Issue {
  readonly id: number
  readonly authorId: number
  readonly attributes: Attributes
  readonly isOpen: boolean
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Present"; readonly issue: Issue }
  | { readonly _tag: "Deleted" }

const initial: State = { _tag: "Absent" }

const { cases } = IssueEvent

const open = ({ _tag, attributes, ...opening }: Open): Decision => {
  const faults = attributeFaults(attributes)
  return faults.length > 0
    ? Result.fail(new IssueInvalid({ faults }))
    : Result.succeed([cases.IssueOpened.make({ ...opening, ...attributes })])
}

/** Nobody reopens what is locked for discussion. */
const transitionOf = ({ by, transition }: Update, { attributes, isOpen }: Issue): ReadonlyArray<IssueEvent> => {
  if (transition === "close" && isOpen) return [cases.IssueClosed.make({ by })]
  const mayReopen = !isOpen && attributes.isDiscussionLocked !== true
  return transition === "reopen" && mayReopen ? [cases.IssueReopened.make({ by })] : []
}

const labelsAfter = ({ added, removed, replaced }: LabelChanges, before: ReadonlyArray<number>): ReadonlyArray<number> =>
  [...new Set([...(replaced ?? before), ...added])].filter((id) => !removed.includes(id))

const isSame = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean =>
  one.length === other.length && one.every((id) => other.includes(id))

const labelChanges = ({ labels }: Update, { labelIds: before }: Attributes): Pick<AttributeChanges, "labelIds"> => {
  const labelIds = labels === undefined ? before : labelsAfter(labels, before)
  return isSame(labelIds, before) ? {} : { labelIds }
}

const update = (command: Update, issue: Issue): Decision => {
  const { attributes } = issue
  const requested: AttributeChanges = command.changes
  const changes = { ...effectiveChanges(requested, attributes), ...labelChanges(command, attributes) }
  const faults = attributeFaults({ ...attributes, ...changes })
  if (faults.length > 0) return Result.fail(new IssueInvalid({ faults }))
  const changed = Object.keys(changes).length === 0 ? [] : [cases.IssueChanged.make({ changes })]
  return Result.succeed([...transitionOf(command, issue), ...changed])
}

const closeByMerge = ({ by, mergeRequestId }: CloseByMerge, { isOpen }: Issue): Decision =>
  Result.succeed(isOpen ? [cases.IssueClosed.make({ by, mergeRequestId })] : [])

const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Open") return state._tag === "Absent" ? open(command) : Result.fail(new IssueExists())
  if (state._tag !== "Present") return Result.fail(new IssueMissing())
  switch (command._tag) {
    case "Update":
      return update(command, state.issue)
    case "CloseByMerge":
      return closeByMerge(command, state.issue)
    case "Delete":
      return Result.succeed([cases.IssueDeleted.make({})])
  }
}

/** Events of an issue that is not there change nothing, and a deleted one stays deleted. */
const evolve = (state: State, event: IssueEvent): State => {
  if (event._tag === "IssueOpened") {
    const { _tag, authorId, createdAt, id, ...attributes } = event
    return state._tag === "Absent" ? { _tag: "Present", issue: { id, authorId, attributes, isOpen: true } } : state
  }
  if (state._tag !== "Present") return state
  const changed = (changes: Partial<Issue>): State => ({ _tag: "Present", issue: { ...state.issue, ...changes } })
  return IssueEvent.match(event, {
    IssueOpened: () => state,
    IssueChanged: ({ changes }) => changed({ attributes: { ...state.issue.attributes, ...changes } }),
    IssueClosed: () => changed({ isOpen: false }),
    IssueReopened: () => changed({ isOpen: true }),
    IssueDeleted: (): State => ({ _tag: "Deleted" })
  })
}

export const issueAggregate: Aggregate<IssueKey, Command, State, IssueEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: issueCodec,
  stream: issueStream
}
