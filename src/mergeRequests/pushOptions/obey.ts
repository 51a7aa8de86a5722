import { Data, Effect } from "effect"
import { logIds } from "../../git/history/log.ts"
import { readCommits } from "../../git/objects/commit.ts"
import { Repositories } from "../../git/Repositories.ts"
import { branchOf } from "../../git/refs/refNames.ts"
import type { UserRow } from "../../http/access/Caller.ts"
import type { WireError } from "../../http/answer/errors.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { defined } from "../../kernel/defined.ts"
import { isMoreVisible } from "../../kernel/visibility.ts"
import { load } from "../../platform/Commands.ts"
import { can, findReadable, Projects, principalOf, type ReadableProject } from "../../projects/Projects.ts"
import type { RecordedPush } from "../../pushes/Pushes.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import { isPresent, type Present, placeIn } from "../decisions/state.ts"
import { changeBy } from "../editing/changeBy.ts"
import { judgeOpening, openBy, requireOpener } from "../editing/openBy.ts"
import { tipOf } from "../heads.ts"
import type { MergeRequestKey } from "../ids.ts"
import { MergeRequestQueries } from "../Queries.ts"
import type { QuickAction } from "../quickActions/commands.ts"
import { allowedOrders, beforeOf, unopened } from "../quickActions/quickActions.ts"
import { refuse } from "../refuse.ts"
import type { MergeRequestOptions } from "./options.ts"

/** A branch that somebody pushed, and what is asked of its merge request. */
interface Branch {
  readonly source: ReadableProject
  readonly branch: string
  readonly head: string
  readonly caller: { readonly user: UserRow }
  readonly options: MergeRequestOptions
  /** The URL of the service. */
  readonly externalUrl: string
}

/** What an option asks for is not possible. */
class OptionRefused extends Data.TaggedError("OptionRefused")<{ readonly reason: string }> {}

/**
 * The project for which merge requests are, where none is named: that of which it is a fork. They stay in the fork where it has them to itself, where its
 * user may open none there, and where more people see that project: what they show is theirs.
 */
const defaultTargetOf = Effect.fnUntraced(function* ({ caller, source }: Branch) {
  const { forked_from_id: parentId, mr_default_target_self: isOwn, visibility } = source.project
  if (parentId === null || isOwn) return source
  const parent = yield* Effect.orElseSucceed(findReadable(String(parentId), caller), () => source)
  if (isMoreVisible(parent.project.visibility, visibility)) return source
  return can("create_merge_request_in", parent.principal, parent.project) ? parent : source
})

const targetProjectOf = (pushed: Branch) => {
  const { caller, options } = pushed
  return options.targetProject === undefined ? defaultTargetOf(pushed) : findReadable(options.targetProject, caller)
}

const isId = (person: string): boolean => /^\d+$/.test(person)
const usernamesIn = (people: ReadonlyArray<string>) => people.filter((one) => !isId(one)).map((name) => name.replace(/^@/, ""))
const idsIn = (people: ReadonlyArray<string>) => people.filter(isId).map(Number)

/** What is named in the options, as quick actions name it. */
const actionsOf = ({ assigned, isDraft, milestone, unassigned }: MergeRequestOptions): ReadonlyArray<QuickAction> => {
  const [assign, unassign] = [usernamesIn(assigned), usernamesIn(unassigned)]
  return [
    ...(assign.length > 0 ? [{ _tag: "Assign", usernames: assign } as const] : []),
    ...(unassign.length > 0 ? [{ _tag: "Unassign", usernames: unassign } as const] : []),
    ...(milestone === undefined ? [] : [{ _tag: "SetMilestone", title: milestone } as const]),
    ...(isDraft ? [{ _tag: "MarkDraft" } as const] : [])
  ]
}

/** What the options change of a merge request that has these attributes. */
const parametersOf = Effect.fnUntraced(function* (
  { branch, caller, options, source }: Branch,
  target: ReadableProject,
  present: typeof unopened
) {
  const { assigned, description, labels, title, unassigned, unlabels } = options
  const added = [...present.assigneeIds, ...idsIn(assigned)]
  const removed = idsIn(unassigned)
  const assigneeIds = [...new Set(added)].filter((id) => !removed.includes(id))
  const before = beforeOf(defined({ title, assignee_ids: assigneeIds }), present)
  const sourceBranch = source.project.id === target.project.id ? branch : undefined
  const { parameters } = yield* allowedOrders(actionsOf(options), before, { target, sourceBranch, caller })
  return defined({
    title,
    description,
    assignee_ids: assigned.length + unassigned.length > 0 ? assigneeIds : undefined,
    add_labels: labels.length > 0 ? labels : undefined,
    remove_labels: unlabels.length > 0 ? unlabels : undefined,
    squash: options.squash || undefined,
    remove_source_branch: options.removesSourceBranch || undefined,
    ...parameters
  })
})

/** `fix-the-door` as `Fix the door`. */
const titleOfBranch = (branch: string): string => {
  const words = branch.replaceAll(/[-_]+/g, " ").trim().toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What a merge request says that nobody says anything of: its only commit, else the name of its branch. */
const wordsOf = Effect.fnUntraced(function* ({ branch, head, source }: Branch, targetTip: string) {
  const repository = (yield* Repositories).of(source.project.id)
  const only = Effect.gen(function* () {
    const ids = yield* logIds(repository, { from: [head], without: [targetTip], limit: 2 })
    return ids.length === 1 ? (yield* readCommits(repository, ids))[0] : undefined
  })
  // A fork may lack the commits of its target.
  const commit = yield* Effect.orElseSucceed(only, () => undefined)
  const [title = "", ...rest] = commit?.message.split("\n") ?? []
  const description = rest.join("\n").trim() || undefined
  return title.trim() === "" ? { title: titleOfBranch(branch), description: undefined } : { title, description }
})

/** The merge request that is open from the branch, as the log has it. */
const openFrom = Effect.fnUntraced(function* ({ branch, source }: Branch) {
  const keys = yield* MergeRequestQueries.use((requests) => requests.openAt(source.project.id, [branch]))
  for (const key of keys) {
    const { state } = yield* load(mergeRequestAggregate, key)
    if (!isPresent(state) || !placeIn(state).isOpen) continue
    const { source: from } = state.request
    if (from.projectId === source.project.id && from.branch === branch) return { key, state }
  }
  return undefined
})

const change = Effect.fnUntraced(function* (pushed: Branch, key: MergeRequestKey, state: Present) {
  const { caller, externalUrl, options } = pushed
  const target = yield* findReadable(String(key.projectId), caller)
  const asked = yield* parametersOf(pushed, target, state.request.attributes)
  const parameters = { ...asked, ...defined({ target_branch: options.target }) }
  if (Object.keys(parameters).length > 0) {
    yield* awaitReadModels(yield* refuse(changeBy({ found: target, key, caller, externalUrl }, parameters)))
  }
  return { key, target }
})

const open = Effect.fnUntraced(function* (pushed: Branch) {
  const { branch, caller, options, source } = pushed
  yield* requireOpener(source)
  const target = yield* targetProjectOf(pushed)
  const target_branch = options.target ?? target.project.default_branch ?? ""
  const targetTip = yield* tipOf({ projectId: target.project.id, branch: target_branch })
  if (targetTip === undefined) return yield* new OptionRefused({ reason: `Branch ${target_branch} does not exist` })
  const opening = { source, target, caller }
  yield* judgeOpening(opening, { source_branch: branch, target_branch })
  const words = options.title === undefined ? yield* wordsOf(pushed, targetTip) : { title: options.title, description: undefined }
  const said = { ...options, ...words, description: options.description ?? words.description }
  const asked = yield* parametersOf({ ...pushed, options: said }, target, unopened)
  const parameters = { ...asked, source_branch: branch, target_branch, title: asked.title ?? words.title }
  const opened = yield* refuse(openBy(opening, parameters))
  // Whoever reads it when the push is done sees it.
  yield* awaitReadModels(opened)
  return { key: { projectId: target.project.id, iid: opened.number }, target }
})

/** Changes the merge request of the branch, or opens one. */
const obeyFor = Effect.fnUntraced(function* (pushed: Branch) {
  const present = yield* openFrom(pushed)
  if (present !== undefined) return yield* change(pushed, present.key, present.state)
  if (pushed.options.creates) return yield* open(pushed)
  const reason = `A merge_request.create push option is required to create a merge request for branch ${pushed.branch}`
  return yield* new OptionRefused({ reason })
})

const textsOf = (message: unknown): ReadonlyArray<string> => {
  if (typeof message === "string") return [message]
  if (Array.isArray(message)) return message.flatMap(textsOf)
  return Object.entries(message ?? {}).flatMap(([name, texts]) => textsOf(texts).map((text) => `${name} ${text}`))
}

const reasonOf = (error: OptionRefused | WireError): string => {
  if (error._tag === "OptionRefused") return error.reason
  const { body } = error
  return typeof body === "object" && body !== null && "message" in body
    ? textsOf(body.message).join(", ")
    : textsOf(body).join(", ")
}

/** What the client is told of one branch. */
const told = Effect.fnUntraced(
  function* (pushed: Branch) {
    const { key, target } = yield* obeyFor(pushed)
    const url = `${pushed.externalUrl}/${target.project.path_with_namespace}/-/merge_requests/${key.iid}`
    return ["", `View merge request for ${pushed.branch}:`, `  ${url}`, ""]
  },
  Effect.catchTag(["OptionRefused", "WireError"], (error) =>
    Effect.succeed([`Error encountered with push options: ${reasonOf(error)}`])
  )
)

/** So many branches may be pushed with options. */
const maxBranches = 10

/** So many options that mean nothing are named, and so many characters of a line are told: a packet of git holds no more than 64 KiB. */
const [maxIgnored, maxLine] = [10, 1_000]

/** Does what the options of a push ask of the merge requests of its branches; answers what the client is told. */
export const obeyMergeRequestOptions = (pushed: RecordedPush, options: MergeRequestOptions) =>
  Effect.map(obeyAll(pushed, options), (lines) => lines.map((line) => line.slice(0, maxLine)))

const obeyAll = Effect.fnUntraced(function* ({ externalUrl, projectId, push, user }: RecordedPush, options: MergeRequestOptions) {
  const moved = push.updates.flatMap(({ after, ref }) => {
    const branch = branchOf(ref)
    return branch === undefined || after === null ? [] : [{ branch, head: after }]
  })
  const ignored = options.unknown.slice(0, maxIgnored).map((option) => `The push option ${option} means nothing here.`)
  if (moved.length > maxBranches)
    return [...ignored, `Too many branches pushed (${moved.length} were pushed, limit is ${maxBranches})`]
  const found = yield* Projects.use((projects) => projects.find(String(projectId), user.id))
  if (found === undefined) return ignored
  const source = { ...found, principal: principalOf({ user }, found.role) }
  const lines = yield* Effect.forEach(moved, (each) => told({ ...each, source, caller: { user }, options, externalUrl }))
  return [...ignored, ...lines.flat()]
})
