import { Effect } from "effect"
import type { Entry } from "../../changelog/categories.ts"
import type { Caller, UserRow } from "../../http/access/Caller.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import type { ProjectRow } from "../../projects/Projects.ts"
import { Users } from "../../users/Users.ts"
import { MergedRequests } from "../MergedRequests.ts"
import type { SelectedCommit } from "./commits.ts"
import { creditOf } from "./credit.ts"

interface EntriesInput {
  readonly project: ProjectRow
  readonly projectUrl: string
  readonly caller: Caller
  /** The full paths of the groups whose direct members are credited. */
  readonly includeGroups: ReadonlyArray<string>
}

const authorsOf = Effect.fnUntraced(function* (commits: ReadonlyArray<SelectedCommit>) {
  const emails = new Set(commits.map(({ authorEmail }) => authorEmail.toLowerCase()).filter((email) => email !== ""))
  if (emails.size === 0) return new Map<string, UserRow>()
  const users = yield* Users.use((all) => all.findByEmails([...emails]))
  return new Map(users.map((user) => [user.email, user]))
})

/** The commits with everything that a template may print of them. */
export const entriesOf = Effect.fnUntraced(function* (commits: ReadonlyArray<SelectedCommit>, input: EntriesInput) {
  const { project, projectUrl } = input
  const authors = yield* authorsOf(commits)
  const { contributors, credited } = yield* creditOf([...authors.values()], input)
  const requests = yield* MergedRequests
  const ids = commits.map(({ id }) => id)
  const iids = ids.length === 0 ? new Map<string, number>() : yield* requests.introducing(project.id, ids)
  return commits.map(({ authorEmail, category, id, title, trailers }): Entry => {
    const author = authors.get(authorEmail.toLowerCase())
    const iid = iids.get(id)
    return {
      category,
      title,
      commit: {
        reference: `${project.path_with_namespace}@${id}`,
        webUrl: `${projectUrl}/-/commit/${id}`,
        trailers
      },
      author: author
        ? { reference: `@${author.username}`, contributor: contributors.has(author.id), credit: credited.has(author.id) }
        : null,
      mergeRequest:
        iid === undefined
          ? null
          : { reference: `${project.path_with_namespace}!${iid}`, webUrl: `${projectUrl}/-/merge_requests/${iid}` }
    }
  })
}, spanned("changelog.entriesOf"))
