import { Effect } from "effect"
import { viewerOf } from "../issuables/Viewer.ts"
import { handle } from "../platform/Commands.ts"
import { actingAs } from "../platform/Origin.ts"
import { Projects, principalOf } from "../projects/Projects.ts"
import { Users } from "../users/Users.ts"
import { issueAggregate } from "./aggregate.ts"
import { type IssueKey, issueStream } from "./ids.ts"
import { IssueQueries, type IssueRow } from "./Queries.ts"
import { mayUpdate } from "./requireIssue.ts"

/** A merge that closes issues. */
export interface ClosingMerge {
  readonly issues: ReadonlyArray<IssueKey>
  /** The user who merged. */
  readonly by: number
  readonly mergeRequestId: number
  /** What is different for each merge, and the same where it comes again. */
  readonly id: string
}

/** Closes those issues that whoever merged sees and may change, where their projects let merges close them. Sent again, it closes none again. */
export const closeByMerge = Effect.fnUntraced(function* ({ by, id, issues: keys, mergeRequestId }: ClosingMerge) {
  const user = yield* Users.use((users) => users.find(by))
  if (user === undefined || keys.length === 0) return
  const order = { by: "created_at", descending: false } as const
  const { rows } = yield* IssueQueries.use((issues) =>
    issues.list({ viewer: viewerOf({ user }), keys, isAutoclosed: true, order }, { limit: keys.length, offset: 0 })
  )
  const close = Effect.fnUntraced(function* ({ iid, project_id: projectId }: IssueRow) {
    const command = { _tag: "CloseByMerge", by, mergeRequestId } as const
    const commandId = `${id}/${issueStream({ projectId, iid })}`
    const closing = handle(issueAggregate, { projectId, iid }, command, { commandId })
    // It may be deleted by now.
    yield* Effect.catchTag(actingAs(by, closing), "IssueMissing", () => Effect.void)
  }, Effect.orDie)
  for (const [projectId, ofProject] of Map.groupBy(rows, ({ project_id }) => project_id)) {
    const found = yield* Projects.use((projects) => projects.find(String(projectId), by))
    if (found === undefined) continue
    const readable = { ...found, principal: principalOf({ user }, found.role) }
    const closable = ofProject.filter((row) => mayUpdate(readable, row, by))
    yield* Effect.forEach(closable, close, { concurrency: 4, discard: true })
  }
})
