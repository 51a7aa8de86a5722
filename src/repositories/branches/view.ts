import { Effect } from "effect"
import { isAncestor } from "../../git/history/mergeBase.ts"
import { type Commit, readCommits } from "../../git/objects/commit.ts"
import { type BranchTip, branchesMergedInto } from "../../git/refs/refs.ts"
import { thingNotFound } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { accessLevel } from "../../members/levels.ts"
import { protecting } from "../../projects/ProjectProtections.ts"
import { type AccessLevelRow, Projects, type ProtectedRefRow } from "../../projects/Projects.ts"
import { mayPushTo, type PushPolicy, policyOf } from "../../pushes/Pushes.ts"

import { projectUrl } from "../access.ts"
import { presentCommit } from "../commits/present.ts"
import type { OpenRepository } from "../openRepository.ts"
import type { BranchShape } from "../refs/shapes.ts"
import { commitOrDefault, type Named } from "../revision.ts"

interface View {
  readonly url: string
  readonly policy: PushPolicy
  readonly protections: ReadonlyArray<ProtectedRefRow>
  readonly defaultBranch: Named | undefined
  readonly merged: ReadonlySet<string>
  readonly commits: ReadonlyMap<string, Commit>
}

const letsDevelopers = (levels: ReadonlyArray<AccessLevelRow>): boolean =>
  levels.some(({ access_level }) => access_level === accessLevel.developer)

/** Encodes a name for a path of the web interface, in which slashes stay. */
const encoded = (name: string): string => name.split("/").map(encodeURIComponent).join("/")

const present = (view: View, { commit: id, name }: BranchTip): typeof BranchShape.Type | undefined => {
  const { commits, defaultBranch, merged, policy, protections, url } = view
  const commit = commits.get(id)
  const rules = protecting(protections, name)
  return (
    commit && {
      name,
      commit: presentCommit(commit, url, []),
      // A branch that has not left the default branch yet is not merged.
      merged: merged.has(name) && id !== defaultBranch?.commit,
      protected: rules.length > 0,
      developers_can_push: rules.some(({ push_access_levels }) => letsDevelopers(push_access_levels)),
      developers_can_merge: rules.some(({ merge_access_levels }) => letsDevelopers(merge_access_levels)),
      can_push: mayPushTo(policy, name, id),
      default: name === defaultBranch?.ref,
      web_url: `${url}/-/tree/${encoded(name)}`
    }
  )
}

/** The names of the branches whose commits are all in the default branch. */
const mergedOf = Effect.fnUntraced(function* (
  { repository }: OpenRepository,
  branches: ReadonlyArray<BranchTip>,
  into: Named | undefined
) {
  const [only, ...others] = branches
  if (into === undefined || only === undefined) return new Set<string>()
  if (others.length === 0) return new Set((yield* isAncestor(repository, only.commit, into.commit)) ? [only.name] : [])
  const names = branches.map(({ name }) => name)
  return new Set((yield* branchesMergedInto(repository, into.commit, names)).map(({ name }) => name))
}, Effect.orDie)

/** Shows branches as the caller sees them. A branch that was deleted meanwhile is left out. */
export const presentBranches = Effect.fnUntraced(function* (
  open: OpenRepository,
  branches: ReadonlyArray<BranchTip>,
  request: RequestInfo
) {
  const { project, repository, principal } = open
  const defaultBranch = yield* commitOrDefault(project, null)
  const commits: ReadonlyArray<Commit> = yield* Effect.orDie(
    readCommits(repository, [...new Set(branches.map(({ commit }) => commit))])
  )
  const view: View = {
    url: projectUrl(project, request),
    policy: yield* policyOf(open, principal),
    protections: yield* Projects.use((projects) => projects.protectedRefs(project.id, "branch")),
    defaultBranch,
    merged: yield* mergedOf(open, branches, defaultBranch),
    commits: new Map(commits.map((commit) => [commit.id, commit]))
  }
  return branches.flatMap((branch) => present(view, branch) ?? [])
})

const noBranch = thingNotFound("Branch")

/** The answer that shows one branch. */
export const answerBranch = Effect.fnUntraced(function* (open: OpenRepository, branch: BranchTip, request: RequestInfo) {
  const [shown] = yield* presentBranches(open, [branch], request)
  return shown === undefined ? yield* noBranch : ok(shown)
})
