import { Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import { forbidden, notFound } from "../../http/answer/errors.ts"
import { defined } from "../../kernel/defined.ts"
import { can, findReadable, type ReadableProject } from "../../projects/Projects.ts"
import { isSameNetwork } from "../../repositories/Code.ts"
import { requiredFaults } from "../decisions/approvalFaults.ts"
import { MergeRequestInvalid } from "../decisions/commands.ts"
import { attributeFaults, missingBranchFaults } from "../decisions/faults.ts"
import type { Attributes, Source } from "../events.ts"
import { tipOf } from "../heads.ts"
import { requireFreePair } from "../pairs.ts"
import { unopened, withQuickActions } from "../quickActions/quickActions.ts"
import { unprocessableList } from "../refuse.ts"
import { openMergeRequest } from "../writes/create.ts"
import { type Creation, settingsOf } from "../writes/input.ts"

/** Who opens a merge request, from which project into which. */
export interface Opening {
  readonly source: ReadableProject
  readonly target: ReadableProject
  readonly caller: Pick<Caller, "user">
}

/** Only some may open merge requests of a project's branches. */
export const requireOpener = ({ principal, project }: ReadableProject) =>
  can("create_merge_request_from", principal, project) ? Effect.void : Effect.fail(forbidden)

/** The project into which is to be merged by who may open merge requests of the source: the one of the source, unless another is named. */
export const targetOf = Effect.fnUntraced(function* (
  source: ReadableProject,
  id: number | null | undefined,
  caller: Opening["caller"]
) {
  yield* requireOpener(source)
  if (id === null || id === undefined || id === source.project.id) return source
  return yield* Effect.mapError(findReadable(String(id), caller), () => notFound)
})

interface Judged {
  readonly attributes: Attributes
  readonly approvalsBeforeMerge?: number
}

/** The commit of the source branch, which has to be there. All that is wrong is told at once, before a number is used up. */
const requireSourceCommit = Effect.fnUntraced(function* ({ branch, projectId }: Source, opening: Judged) {
  const commit = yield* tipOf({ projectId, branch })
  const faults = [
    ...attributeFaults(opening.attributes),
    ...requiredFaults("approvals_before_merge", opening.approvalsBeforeMerge ?? 0),
    ...(commit === undefined ? missingBranchFaults("source_branch", branch) : [])
  ]
  return commit === undefined || faults.length > 0 ? yield* new MergeRequestInvalid({ faults }) : commit
})

/** Who may open it in the target, and whether the branches fit together. */
export const judgeOpening = Effect.fnUntraced(function* (
  { source, target }: Opening,
  { source_branch, target_branch }: Pick<Creation, "source_branch" | "target_branch">
) {
  if (!can("create_merge_request_in", target.principal, target.project)) return yield* forbidden
  const isSameProject = source.project.id === target.project.id
  if (isSameProject && source_branch === target_branch)
    return yield* unprocessableList("You can't use same project/branch for source and target")
  if (!isSameProject && !(yield* isSameNetwork(source.project, target.project)))
    return yield* unprocessableList("Source project is not a fork of the target project")
})

/** Opens a merge request as the parameters ask, for whoever may. */
export const openBy = Effect.fnUntraced(function* ({ caller, source, target }: Opening, parameters: Creation) {
  const branch = parameters.source_branch ?? ""
  const from = { projectId: source.project.id, branch }
  const sourceBranch = source.project.id === target.project.id ? branch : undefined
  const { parameters: ordered, time } = yield* withQuickActions(parameters, unopened, { target, sourceBranch, caller })
  yield* requireFreePair({ source: from, projectId: target.project.id, targetBranch: ordered.target_branch ?? "" })
  const required = defined({ approvalsBeforeMerge: parameters.approvals_before_merge ?? undefined })
  const settings = { ...(yield* settingsOf(ordered, { source, target })), ...required }
  const sourceSha = yield* requireSourceCommit(from, settings)
  const opening = { authorId: caller.user.id, source: from, sourceSha, ...settings, time }
  return yield* openMergeRequest({ projectId: target.project.id, ...opening })
})
