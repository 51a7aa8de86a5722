import { Effect, Option } from "effect"
import type { UserRow } from "../../http/access/Caller.ts"
import { seenAmong } from "../../issues/Issues.ts"
import type { IssueKey } from "../../issues/ids.ts"
import { defined } from "../../kernel/defined.ts"
import { handle, load } from "../../platform/Commands.ts"
import { outsideRun } from "../../platform/repeats.ts"
import { type ProjectRow, Projects } from "../../projects/Projects.ts"
import { Users } from "../../users/Users.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { IssuesFound, Update } from "../decisions/commands.ts"
import type { MergeRequest, Present } from "../decisions/state.ts"
import { type MergeRequestKey, mergeRequestStream } from "../ids.ts"
import { keysOf } from "./resolve.ts"
import { referencesIn } from "./texts.ts"

/** Where a merge request is: the URL of this service, and its project, where that is known. */
interface Place {
  readonly externalUrl: string
  readonly home?: ProjectRow | undefined
}

interface Asking extends Place {
  /** Who imports the project, of which nobody is a member yet: they see its issues in place of the author. */
  readonly importer?: UserRow
}

const homeOf = Effect.fnUntraced(function* ({ projectId }: MergeRequestKey) {
  return (yield* Projects.use((projects) => projects.find(String(projectId), undefined)))?.project
})

/** The issues among these that the author of a merge request sees. */
const seenByAuthor = Effect.fnUntraced(function* (keys: ReadonlyArray<IssueKey>, { authorId }: MergeRequest) {
  const author = yield* Users.use((users) => users.find(authorId))
  return yield* seenAmong(keys, author && { user: author })
})

/** The issues that a merge request says it closes, of those that its author sees, or whoever imports its project. */
const issuesToClose = Effect.fnUntraced(function* (key: MergeRequestKey, request: MergeRequest, asking: Asking) {
  const { externalUrl, home, importer } = asking
  const project = home ?? (yield* homeOf(key))
  if (project === undefined) return []
  const context = { externalUrl, projectPath: project.path_with_namespace }
  const keys = yield* keysOf(yield* referencesIn(key, request, "closed", context), project)
  if (keys.length === 0) return []
  const isImported = ({ projectId }: IssueKey) => importer !== undefined && projectId === key.projectId
  const imported = yield* seenAmong(keys.filter(isImported), importer && { user: importer })
  const others = keys.filter((issue) => !isImported(issue))
  const seen = [...(yield* seenByAuthor(others, request)), ...imported]
  return seen.map(({ iid, project_id: projectId }) => ({ projectId, iid }))
})

const found = Effect.fnUntraced(function* (key: MergeRequestKey, request: MergeRequest, asking: Asking) {
  const issues = yield* issuesToClose(key, request, asking)
  const { description, title } = request.attributes
  return { title, description, headSha: request.version?.headSha, issues } satisfies IssuesFound
})

/** Finds out which issues a merge request closes, as it was then, and notes them where that is still so. Answers the issues. */
export const findIssuesToClose = Effect.fnUntraced(
  function* (key: MergeRequestKey, request: MergeRequest, asking: Asking) {
    const closing = yield* found(key, request, asking)
    yield* handle(mergeRequestAggregate, key, { _tag: "NoteIssuesToClose", ...closing })
    return closing.issues
  },
  Effect.orDie,
  outsideRun
)

/** The same for a merge request that is open and of which it is not known. Repeating it changes nothing. */
export const noteIssuesToClose = Effect.fnUntraced(function* (key: MergeRequestKey, asking: Asking) {
  const { state } = yield* load(mergeRequestAggregate, key)
  if (state._tag !== "Opened" || state.request.issuesToClose !== undefined) return
  yield* findIssuesToClose(key, state.request, asking)
})

/** How long an answer waits for it; the reactor does it otherwise. */
const timeout = "2 seconds"

/** At once, where that does not take long: what the answer is to show. */
const withTimeout = <A, E, R>(key: MergeRequestKey, find: Effect.Effect<A, E, R>) =>
  Effect.catchCause(Effect.timeoutOption(find, timeout), (cause) =>
    Effect.as(
      Effect.logWarning(`The issues that ${mergeRequestStream(key)} closes are looked for later`, cause),
      Option.none<A>()
    )
  )

export const noteIssuesSoon = (key: MergeRequestKey, place: Place) => withTimeout(key, noteIssuesToClose(key, place))

/**
 * What a merge request in this state closes after an update, so that both are written at once; undefined where it is known then, or the
 * merge request is not open.
 */
export const issuesAfter = Effect.fnUntraced(function* (
  key: MergeRequestKey,
  state: Present,
  { changes: { description, title }, transition }: Pick<Update, "changes" | "transition">,
  place: Place
) {
  if (state._tag !== (transition === "reopen" ? "Closed" : "Opened") || transition === "close") return undefined
  const isKnown = state.request.issuesToClose !== undefined && transition === undefined
  if (isKnown && description === undefined && title === undefined) return undefined
  const attributes = { ...state.request.attributes, ...defined({ description, title }) }
  const closing = withTimeout(key, found(key, { ...state.request, attributes }, place))
  return Option.getOrUndefined(yield* outsideRun(closing))
})
