import { Data, Result } from "effect"
import { effectiveChanges } from "../kernel/effectiveChanges.ts"
import type { Aggregate } from "../platform/Aggregate.ts"
import { type AttributeChanges, type Attributes, IssueEvent, issueCodec } from "./events.ts"
import { type AttributeFault, attributeFaults } from "./faults.ts"
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

/** Opens an issue under the number of its stream. */
export interface Open {
  readonly _tag: "Open"
  readonly id: number
  readonly authorId: number
  /** When it is said to have been opened, in milliseconds since 1970. */
  readonly createdAt?: number
  readonly attributes: Attributes
}

/** What becomes of the labels that it has by then: others take their place, some are added, and after that some are taken away. */
export interface LabelChanges {
  readonly replaced?: ReadonlyArray<number>
  readonly added: ReadonlyArray<number>
  readonly removed: ReadonlyArray<number>
}

/** Changes attributes, and closes or reopens; absent attributes stay as they are. What is not in the state for it changes nothing. */
export interface Update {
  readonly _tag: "Update"
  readonly by: number
  readonly changes: Omit<AttributeChanges, "labelIds">
  readonly labels?: LabelChanges
  readonly transition?: "close" | "reopen"
}

/** Closes it, because a merge request that says so was merged. */
export interface CloseByMerge {
  readonly _tag: "CloseByMerge"
  readonly by: number
  readonly mergeRequestId: number
}

export type Command = Open | Update | CloseByMerge | { readonly _tag: "Delete" }

/** Everything that is wrong with the attributes. */
export class IssueInvalid extends Data.TaggedError("IssueInvalid")<{ readonly faults: ReadonlyArray<AttributeFault> }> {}

/** There is an issue in this stream, or was one. */
export class IssueExists extends Data.TaggedError("IssueExists") {}

/** The issue was never there, or is deleted. */
export class IssueMissing extends Data.TaggedError("IssueMissing") {}

export type Refusal = IssueInvalid | IssueExists | IssueMissing

type Decision = Result.Result<ReadonlyArray<IssueEvent>, Refusal>

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
