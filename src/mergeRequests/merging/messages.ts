import { Effect } from "effect"
import { commitsSince } from "../../git/history/commitsSince.ts"
import { readAbridged } from "../../git/objects/commit.ts"
import type { Repository } from "../../git/Repository.ts"
import type { UserRow } from "../../http/access/Caller.ts"
import { commitEmail } from "../../http/answer/shapes.ts"
import type { ProjectRow } from "../../projects/Projects.ts"
import { Users } from "../../users/Users.ts"
import { closedReferences } from "../closing/closedReferences.ts"
import type { MergeRequest } from "../decisions/state.ts"
import type { Version } from "../events.ts"
import { mergeCommitMessage, squashCommitMessage } from "../text/mergeMessages.ts"
import type { MessageCommit, MessageFacts, Person } from "../text/messageFacts.ts"

/** How many commits are looked at: messages tell of the newest hundred, and of the first one. */
const [maxCommits, maxRecent] = [10_000, 100]
/** Of a message so many characters are told. */
const maxMessage = 128 * 1024

const commitsOf = Effect.fnUntraced(function* (repository: Repository, { baseSha, headSha, startSha }: Version) {
  const { ids } = yield* commitsSince(repository, { base: baseSha, head: headSha, start: startSha, limit: maxCommits })
  const told = [...ids.slice(0, maxRecent), ...ids.slice(maxRecent).slice(-1)]
  const commits = yield* readAbridged(repository, told, maxMessage)
  return commits.map(
    ({ email, isMerge, message, name }): MessageCommit => ({ message, authorName: name, authorEmail: email, isMerge })
  )
})

interface Wording {
  readonly repository: Repository
  readonly project: ProjectRow
  readonly request: MergeRequest & { readonly version: Version }
  /** The full reference, such as `tools/uploader!14`, and the page. */
  readonly reference: string
  readonly url: string
  readonly merger: UserRow
  readonly author: UserRow
  readonly externalUrl: string
}

/** The messages of the merge commit and of the squashed one, where the caller gives none: by the templates of the project. */
export const messagesOf = Effect.fnUntraced(function* (wording: Wording) {
  const { author, externalUrl, merger, project, reference, repository, request, url } = wording
  const { attributes, source, version } = request
  const { merge_commit_template: forMerge, squash_commit_template: forSquash } = project
  const person = (user: UserRow): Person => ({ name: user.name, email: commitEmail(user, externalUrl) })
  const hasTemplate = forMerge !== null || forSquash !== null
  const peopleOf = (ids: ReadonlyArray<number>) =>
    Effect.map(
      Effect.forEach(hasTemplate ? ids : [], (id) => Users.use((users) => users.find(id)), { concurrency: 4 }),
      (found) => found.flatMap((user) => (user === undefined ? [] : [person(user)]))
    )
  const facts: Omit<MessageFacts, "author"> = {
    title: attributes.title,
    description: attributes.description,
    sourceBranch: source.branch,
    targetBranch: attributes.targetBranch,
    issues: yield* closedReferences(request, project, merger),
    reference,
    url,
    commits: hasTemplate ? yield* commitsOf(repository, version) : [],
    reviewers: yield* peopleOf(attributes.reviewerIds),
    approvers: yield* peopleOf(request.approvals.approvedBy),
    merger: person(merger)
  }
  return {
    merge: mergeCommitMessage(forMerge, { ...facts, author: facts.merger }),
    squash: squashCommitMessage(forSquash, { ...facts, author: person(author) })
  }
})
