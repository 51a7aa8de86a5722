/** What a relation of a project is in an export, and how its file is made. */
interface Relation {
  readonly name: string
  /**
   * `collection`: a line of JSON for each record. `single`: one JSON value, null where there is none. `attributes`: one JSON object.
   * `folder`: a tar of files; but for uploads the product has none of these. `repository`: a tar with a bundle of all refs.
   */
  readonly kind: "collection" | "single" | "attributes" | "folder" | "repository"
}

const collections = (...names: ReadonlyArray<string>) => names.map((name): Relation => ({ name, kind: "collection" }))
const single = (name: string): Relation => ({ name, kind: "single" })
const folder = (name: string): Relation => ({ name, kind: "folder" })

/** The relations of a project, in the order in which they are exported and listed. */
export const relations: ReadonlyArray<Relation> = [
  ...collections("labels", "milestones", "issues", "snippets", "releases", "merge_requests", "external_pull_requests"),
  ...collections("commit_notes", "ci_pipelines"),
  single("auto_devops"),
  ...collections("pipeline_schedules"),
  single("container_expiration_policy"),
  ...collections("protected_branches", "protected_tags"),
  single("project_feature"),
  ...collections("custom_attributes", "project_badges"),
  single("ci_cd_settings"),
  single("error_tracking_setting"),
  ...collections("boards"),
  single("service_desk_setting"),
  folder("uploads"),
  folder("lfs_objects"),
  { name: "repository", kind: "repository" },
  folder("design"),
  { name: "self", kind: "attributes" }
]

const kinds: ReadonlyMap<string, Relation["kind"]> = new Map(relations.map(({ kind, name }) => [name, kind]))

/** The kind of a relation; undefined for what is none. */
export const kindOf = (name: string): Relation["kind"] | undefined => kinds.get(name)

/** Those that come in batches where that is asked for. A project has one design folder. */
const batchable = new Set(
  relations.flatMap(({ kind, name }) => (kind === "collection" ? [name] : [])).concat("uploads", "lfs_objects")
)

export const isBatchable = (name: string): boolean => batchable.has(name)

const extensions: Readonly<Record<Relation["kind"], string>> = {
  collection: "ndjson",
  single: "ndjson",
  attributes: "json",
  folder: "tar",
  repository: "tar"
}

/** The name under which the file of a relation, or of a batch of it, is given. */
export const fileName = (name: string): string => `${name}.${extensions[kindOf(name) ?? "collection"]}.gz`

/** So many records are in a batch. */
export const batchSize = 1_000
