import { Data, type Result } from "effect"
import type { AttributeChanges, Attributes, IssueEvent } from "./events.ts"
import type { AttributeFault } from "./faults.ts"

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

export type Decision = Result.Result<ReadonlyArray<IssueEvent>, Refusal>
