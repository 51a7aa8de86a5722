import { type SnakeCased, snakeCased } from "#src/kernel/letterCase.ts"
import { ProjectEvent } from "#src/projects/events.ts"
import type { ProjectRow } from "#src/projects/Projects.ts"
import type { SimpleProjectRow } from "#src/projects/Queries.ts"

const settings = ProjectEvent.cases.ProjectCreated.fields.settings.fields

type Computed = "path_with_namespace" | "name_with_namespace" | "namespace" | "forks_count" | "star_count" | "role"

/** What the table has of a `SimpleProjectRow`: a missing or a surplus name does not compile. */
const simple: Record<Exclude<keyof SimpleProjectRow, Computed>, true> = {
  id: true,
  name: true,
  path: true,
  description: true,
  topics: true,
  default_branch: true,
  readme: true,
  created_at: true,
  last_activity_at: true,
  visibility: true,
  archived: true,
  repository_access_level: true,
  issues_access_level: true,
  merge_requests_access_level: true,
  forking_access_level: true,
  wiki_access_level: true,
  builds_access_level: true,
  snippets_access_level: true,
  container_registry_access_level: true,
  environments_access_level: true,
  releases_access_level: true,
  pages_access_level: true,
  public_jobs: true
}

/** What the table has of a `ProjectRow` besides settings. */
const own: Record<Exclude<keyof ProjectRow, keyof SnakeCased<typeof settings> | Computed>, true> = {
  id: true,
  namespace_id: true,
  creator_id: true,
  path: true,
  archived: true,
  default_branch: true,
  empty_repo: true,
  readme: true,
  forked_from_id: true,
  created_at: true,
  updated_at: true,
  last_activity_at: true
}

const selected = (names: ReadonlyArray<string>): string => names.map((name) => `p.${name}`).join(", ")

/** The columns of a `SimpleProjectRow` that the table `p` has, for a select list. */
export const simpleColumns = selected(Object.keys(simple))

/** The columns of a `ProjectRow` that the table `p` has, for a select list. */
export const projectColumns = selected([...Object.keys(own), ...Object.keys(snakeCased(settings))])
