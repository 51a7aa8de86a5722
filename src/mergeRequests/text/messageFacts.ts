import { enumerated } from "./enumerated.ts"

export interface Person {
  readonly name: string
  readonly email: string
}

export interface MessageCommit {
  readonly message: string
  readonly authorName: string
  readonly authorEmail: string
  readonly isMerge: boolean
}

/** What the message of a merge or a squash may tell. */
export interface MessageFacts {
  readonly title: string
  readonly description: string | null
  readonly sourceBranch: string
  readonly targetBranch: string
  /** References to the issues that are closed with it, such as `#3`. */
  readonly issues: ReadonlyArray<string>
  /** The full reference, such as `tools/uploader!14`. */
  readonly reference: string
  readonly url: string
  /** The newest first. */
  readonly commits: ReadonlyArray<MessageCommit>
  readonly reviewers: ReadonlyArray<Person>
  readonly approvers: ReadonlyArray<Person>
  readonly merger: Person
  /** The author of the commit that is made, who is no co-author of it: the merger of a merge commit, the author of what is squashed. */
  readonly author: Person
}

/** `Closes #3, #5, and #8`; nothing where no issue is closed. */
export const closesSentence = (issues: ReadonlyArray<string>): string =>
  issues.length === 0 ? "" : `Closes ${enumerated(issues)}`
