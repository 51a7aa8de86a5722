import { Effect } from "effect"
import type { IssueKey } from "../../issues/ids.ts"
import { type ProjectRow, Projects } from "../../projects/Projects.ts"
import type { IssueReference } from "../text/closingReferences.ts"

/** Gap: so many other projects are looked for, so that no text asks many questions. */
const maxProjects = 50

/** The full path of a project as it is written in another one: beside it, where there is no slash. */
const fullPath = (path: string, { path_with_namespace: own }: ProjectRow): string =>
  path.includes("/") ? path : `${own.slice(0, own.lastIndexOf("/") + 1)}${path}`

/** The issues that are meant in a project, whether they are there or not. What it is a fork of has others. */
export const keysOf = Effect.fnUntraced(function* (references: ReadonlyArray<IssueReference>, home: ProjectRow) {
  const byPath = Map.groupBy(references, ({ project }) => (project === undefined ? "" : fullPath(project, home).toLowerCase()))
  const keys = new Map<string, IssueKey>()
  for (const [path, named] of [...byPath].slice(0, maxProjects)) {
    const found = path === "" ? undefined : yield* Projects.use((projects) => projects.find(path, undefined))
    const project = path === "" ? home : found?.project
    if (project === undefined || project.id === home.forked_from_id) continue
    for (const { iid } of named) keys.set(`${project.id}#${iid}`, { projectId: project.id, iid })
  }
  return [...keys.values()]
})
