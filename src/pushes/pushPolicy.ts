import { Effect } from "effect"
import { type BranchRule, judge, type PushPolicy, type TagRule } from "../git/pushPolicy.ts"
import { branchRef } from "../git/refNames.ts"
import { type Asker, can, role } from "../projects/abilities.ts"
import { type AccessLevelRow, type FoundProject, Projects, type ProtectedRefRow } from "../projects/Projects.ts"

/** 0 is nobody, 60 administrators alone; otherwise administrators are among those who may. */
const isGranted = (levels: ReadonlyArray<AccessLevelRow>, { isAdministrator, role: own }: Asker): boolean =>
  levels.some(({ access_level: least }) => least > 0 && (isAdministrator || own >= least))

const branchRule = (
  { allow_force_push, merge_access_levels, name, push_access_levels }: ProtectedRefRow,
  who: Asker
): BranchRule => {
  const mayPush = isGranted(push_access_levels, who)
  return {
    pattern: name,
    mayPush,
    mayMerge: isGranted(merge_access_levels, who),
    mayForce: mayPush && allow_force_push,
    // Only over the interface, where it cannot happen by the way.
    mayDelete: false
  }
}

const tagRule = ({ name, push_access_levels }: ProtectedRefRow, who: Asker): TagRule => ({
  pattern: name,
  mayCreate: isGranted(push_access_levels, who),
  mayDelete: false
})

/** What somebody may push to the repository of a project. */
export const policyOf = Effect.fn("pushes.policyOf")(function* ({ project }: Pick<FoundProject, "project">, who: Asker) {
  const projects = yield* Projects
  const [branches, tags] = yield* Effect.all(
    [projects.protectedRefs(project.id, "branch"), projects.protectedRefs(project.id, "tag")],
    {
      concurrency: 2
    }
  )
  const policy: PushPolicy = {
    mayPush: can("push_code", who, project),
    isMaintainer: who.isAdministrator || who.role >= role.maintainer,
    defaultBranch: project.default_branch ?? undefined,
    mayChangeTags: can("delete_tag", who, project),
    branches: branches.map((row) => branchRule(row, who)),
    tags: tags.map((row) => tagRule(row, who))
  }
  return policy
})

/** Whether a commit may be added to a branch, or the branch be made where it is not there. `before`: where it is. */
export const mayPushTo = (policy: PushPolicy, branch: string, before: string | null): boolean =>
  judge(policy, { ref: branchRef(branch), before, after: "0".repeat(39).concat("1") })._tag !== "Refused"
