import { Effect } from "effect"
import { branchRef } from "../git/refs/refNames.ts"
import { accessLevel } from "../members/levels.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { DefaultProtections, initialBranch, letsDevelopersBegin } from "../projects/ProjectProtections.ts"
import {
  type AccessLevelRow,
  can,
  type FoundProject,
  type Principal,
  type ProjectRow,
  Projects,
  type ProtectedRefRow
} from "../projects/Projects.ts"
import { type BranchRule, judge, type PushPolicy, type TagRule } from "./pushPolicy.ts"

/** 0 is nobody, 60 administrators alone; otherwise administrators are among those who may. */
const isGranted = (levels: ReadonlyArray<AccessLevelRow>, { isAdministrator, role: own }: Principal): boolean =>
  levels.some(({ access_level: least }) => least > 0 && (isAdministrator || own >= least))

const branchRule = (
  { allow_force_push: mayForce, merge_access_levels, name, push_access_levels }: ProtectedRefRow,
  principal: Principal
): BranchRule => ({
  pattern: name,
  mayPush: isGranted(push_access_levels, principal),
  mayMerge: isGranted(merge_access_levels, principal),
  mayForce,
  // Such branches can be deleted through the interface only, where it does not happen by accident.
  mayDelete: false
})

const tagRule = ({ name, push_access_levels }: ProtectedRefRow, principal: Principal): TagRule => ({
  pattern: name,
  mayCreate: isGranted(push_access_levels, principal),
  mayDelete: false
})

/** The policy for a project that was deleted. */
export const nothingAllowed: PushPolicy = {
  mayPush: false,
  collaborations: [],
  isMaintainer: false,
  defaultBranch: undefined,
  noNewBranch: undefined,
  mayChangeTags: false,
  branches: [],
  tags: []
}

/** Why somebody may not make the first branch, where it will be protected from them; undefined where they may, or where one is. */
const noFirstBranch = Effect.fnUntraced(function* (project: ProjectRow, isMaintainer: boolean) {
  if (isMaintainer || !project.empty_repo) return undefined
  const defaults = yield* DefaultProtections.use((protections) => protections.in(project.namespace_id))
  if (letsDevelopersBegin(defaults)) return undefined
  const example = project.default_branch ?? initialBranch
  const missing = `A default branch (e.g. ${example}) does not yet exist for ${project.path_with_namespace}.`
  return `${missing} Ask a project Owner or Maintainer to create a default branch.`
})

/** What somebody may push to the repository of a project. */
export const policyOf = Effect.fnUntraced(function* ({ project }: Pick<FoundProject, "project">, principal: Principal) {
  const projects = yield* Projects
  const [branches, tags] = yield* Effect.all(
    [projects.protectedRefs(project.id, "branch"), projects.protectedRefs(project.id, "tag")],
    {
      concurrency: 2
    }
  )
  const isMaintainer = principal.isAdministrator || principal.role >= accessLevel.maintainer
  const policy: PushPolicy = {
    mayPush: can("push_code", principal, project),
    collaborations: [],
    isMaintainer,
    defaultBranch: project.default_branch ?? undefined,
    noNewBranch: yield* noFirstBranch(project, isMaintainer),
    mayChangeTags: can("delete_tag", principal, project),
    branches: branches.map((row) => branchRule(row, principal)),
    tags: tags.map((row) => tagRule(row, principal))
  }
  return policy
}, spanned("pushes.policyOf"))

/** Whether a commit may be added to a branch, or the branch be made where it is not there. `before`: where it is. */
export const mayPushTo = (policy: PushPolicy, branch: string, before: string | null): boolean =>
  judge(policy, { ref: branchRef(branch), before, after: "0".repeat(39).concat("1") })._tag !== "Refused"
