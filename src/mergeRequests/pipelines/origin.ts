import { Effect } from "effect"
import { matchesPattern } from "../../kernel/wildcards.ts"
import type { MergeRequestOrigin } from "../../pipelines/Pipelines.ts"
import { Projects } from "../../projects/Projects.ts"
import type { DescribedMergeRequestRow } from "../Queries.ts"

/** Characters; of longer descriptions pipelines have the beginning. */
const maxDescription = 2_700

const beginning = (text: string): string => [...text.slice(0, 2 * maxDescription)].slice(0, maxDescription).join("")

const isProtected = (projectId: number, branch: string) =>
  Effect.map(
    Projects.use((projects) => projects.protectedRefs(projectId, "branch")),
    (rules) => rules.some(({ name }) => matchesPattern(name, branch))
  )

/** What a pipeline is told of a merge request. It has a version. */
export const originOf = Effect.fnUntraced(function* (
  row: DescribedMergeRequestRow,
  version: { readonly id: number; readonly baseSha: string }
) {
  const source = yield* Projects.use((projects) => projects.find(String(row.source_project_id), undefined))
  const description = row.description === null ? null : beginning(row.description)
  const origin: MergeRequestOrigin = {
    id: row.id,
    iid: row.iid,
    projectId: row.project_id,
    projectPath: row.project_path,
    targetBranch: row.target_branch,
    isTargetProtected: yield* isProtected(row.project_id, row.target_branch),
    sourceProjectId: row.source_project_id,
    sourceProjectPath: source?.project.path_with_namespace ?? "",
    sourceBranch: row.source_branch,
    isSourceProtected: yield* isProtected(row.source_project_id, row.source_branch),
    title: row.title,
    description,
    isDescriptionCut: description !== row.description,
    assignees: row.assignees.map(({ username }) => username),
    squash: row.squash_option === "always" || (row.squash_option !== "never" && row.squash),
    versionId: version.id,
    baseSha: version.baseSha
  }
  return origin
})
