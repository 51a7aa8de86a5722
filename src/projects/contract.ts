import { Schema } from "effect"
import { Accepted } from "../http/answer/accepted.ts"
import { groupId, projectId } from "../http/answer/references.ts"
import { UserReference } from "../http/answer/shapes.ts"
import { endpoint } from "../http/Endpoint.ts"
import type { ParameterGroup, ParameterTable } from "../http/parameters/parameters.ts"
import { visibilities } from "../kernel/visibility.ts"
import { laterParameters, settingsParameters } from "./settings/parameters.ts"
import { FullProject, ProjectWithPermissions, PublicProject, SimpleProject } from "./shapes.ts"

const area = "projects"

const missing = { 404: "No such project." }

const noSuchPage = { 405: "Keyset pagination by another order than `id`, or an offset above 50000." }

const lists = Schema.Array(Schema.Union([ProjectWithPermissions, FullProject, SimpleProject]))

const statistics = {
  kind: "boolean",
  default: false,
  description: "With the number of commits and the space that is taken, where the caller is a Reporter."
} as const

const filters = {
  order_by: {
    kind: "string",
    values: ["id", "name", "path", "created_at", "updated_at", "last_activity_at", "similarity", "star_count"],
    default: "created_at",
    description: "What the list is ordered by. `similarity` without `search` is `created_at`, and `name` for projects of a group."
  },
  sort: { kind: "string", values: ["asc", "desc"], default: "desc", description: "Direction of the order." },
  archived: { kind: "boolean", description: "Only archived projects, or only others." },
  visibility: { kind: "string", values: visibilities, description: "Only projects of this visibility." },
  search: { kind: "string", description: "Words in name, path or description." },
  search_namespaces: { kind: "boolean", description: "`search` looks at full paths too." },
  owned: { kind: "boolean", default: false, description: "Only projects of which the caller is owner." },
  starred: { kind: "boolean", default: false, description: "Only projects that the caller has starred." },
  membership: { kind: "boolean", default: false, description: "Only projects in which the caller has a role." },
  with_issues_enabled: { kind: "boolean", default: false, description: "Only projects whose issues are not switched off." },
  with_merge_requests_enabled: {
    kind: "boolean",
    default: false,
    description: "Only projects whose merge requests are not switched off."
  },
  min_access_level: { kind: "integer", values: [10, 15, 20, 30, 40, 50], description: "Least role of the caller." },
  id_after: { kind: "integer", description: "Only projects with a greater ID." },
  id_before: { kind: "integer", description: "Only projects with a smaller ID." },
  last_activity_after: { kind: "dateTime", description: "Only projects with activity at this time or later." },
  last_activity_before: { kind: "dateTime", description: "Only projects without activity after this time." },
  updated_after: { kind: "dateTime", description: "Only projects changed at this time or later. Needs `order_by=updated_at`." },
  updated_before: { kind: "dateTime", description: "Only projects not changed after this time. Needs `order_by=updated_at`." },
  topic: { kind: "stringList", description: "Topics, all of which the project has." },
  statistics,
  simple: { kind: "boolean", default: false, description: "Only the fields that anonymous callers see." },
  pagination: {
    kind: "string",
    values: ["legacy", "keyset"],
    default: "legacy",
    description:
      "How pages are found: `legacy` by number, `keyset` by what the page before ended with, which needs `order_by=id`."
  }
} as const satisfies ParameterTable

export const listProjects = endpoint({
  name: "projects.list",
  area,
  method: "GET",
  path: "/projects",
  summary: "List the projects that the caller may see",
  access: "anyone",
  parameters: filters,
  paginated: true,
  success: { status: 200, body: lists },
  refusals: noSuchPage
})

export const listUserProjects = endpoint({
  name: "projects.listOfUser",
  area,
  method: "GET",
  path: "/users/:user_id/projects",
  summary: "List the personal projects of a user",
  access: "anyone",
  parameters: { user_id: { kind: "string", required: true, description: "ID or name of the user.", example: "2" }, ...filters },
  paginated: true,
  success: { status: 200, body: lists },
  refusals: { ...noSuchPage, 404: "No such user." }
})

export const listGroupProjects = endpoint({
  name: "projects.listOfGroup",
  area,
  method: "GET",
  path: "/groups/:id/projects",
  summary: "List the projects of a group",
  access: "anyone",
  parameters: {
    id: groupId,
    ...filters,
    include_subgroups: { kind: "boolean", default: false, description: "Projects of groups below it too." },
    with_shared: { kind: "boolean", default: true, description: "Projects that are shared with the group too." }
  },
  paginated: true,
  success: { status: 200, body: lists },
  refusals: { ...noSuchPage, 404: "No such group." }
})

export const readProject = endpoint({
  name: "projects.read",
  area,
  method: "GET",
  path: "/projects/:id",
  summary: "Read a project",
  access: "anyone",
  parameters: {
    id: projectId,
    license: { kind: "boolean", default: false, description: "With the licence of its default branch." },
    statistics
  },
  success: { status: 200, body: Schema.Union([ProjectWithPermissions, PublicProject]) },
  refusals: missing
})

const path = { kind: "string", description: "Last segment of the path. Default: made from the name." } as const
const defaultBranch = { kind: "string", description: "Default branch once something is pushed." } as const
const importUrl = {
  kind: "string",
  description: "HTTP or HTTPS address, which may have credentials, of a repository that is imported after the answer."
} as const
const withReadme = {
  kind: "boolean",
  default: false,
  description: "Begins the repository with a commit of `README.md`. Not together with `import_url`.",
  example: true
} as const
const unreachable = { 422: "Nothing can be imported from `import_url`." }

export const createProject = endpoint({
  name: "projects.create",
  area,
  method: "POST",
  path: "/projects",
  summary: "Create a project",
  description:
    "In the caller's namespace unless another is named. The repository is empty unless it begins with a README or an import.",
  access: "user",
  parameters: {
    name: { kind: "string", description: "Name. Default: the path.", example: "Example project" },
    path,
    namespace_id: { kind: "integer", description: "ID of the group or personal namespace. Default: the caller's." },
    default_branch: defaultBranch,
    import_url: importUrl,
    initialize_with_readme: withReadme,
    ...settingsParameters
  },
  groups: [{ rule: "atLeastOneOf", names: ["name", "path"] }],
  success: { status: 201, body: FullProject },
  refusals: {
    ...unreachable,
    400: "Invalid attributes, taken names, no such namespace.",
    403: "The limit of personal projects is reached, or imports are switched off."
  }
})

export const createProjectForUser = endpoint({
  name: "projects.createForUser",
  area,
  method: "POST",
  path: "/projects/user/:user_id",
  summary: "Create a project for a user",
  access: "administrator",
  parameters: {
    name: { kind: "string", required: true, description: "Name of the project.", example: "Example project" },
    user_id: { kind: "integer", required: true, description: "ID of the user.", example: 2 },
    path,
    namespace_id: { kind: "integer", description: "ID of another namespace than the user's." },
    default_branch: defaultBranch,
    import_url: importUrl,
    initialize_with_readme: withReadme,
    ...settingsParameters
  },
  success: { status: 201, body: FullProject },
  refusals: {
    ...unreachable,
    400: "Invalid attributes, taken names.",
    403: "Not an administrator, or imports are switched off.",
    404: "No such user."
  }
})

const changes = {
  name: { kind: "string", description: "Name. Owners only." },
  path: { kind: "string", description: "Last segment of the path. The old path leads to the new one." },
  default_branch: { kind: "string", description: "A branch of the repository." },
  ...settingsParameters,
  ...laterParameters,
  description: { ...settingsParameters.description, example: "What this project is for." }
} as const satisfies ParameterTable

const oneOfThem: ParameterGroup = { rule: "atLeastOneOf", names: Object.keys(changes) }

export const changeProjectSettings = endpoint({
  name: "projects.change",
  area,
  method: "PUT",
  path: "/projects/:id",
  summary: "Change a project",
  access: "user",
  parameters: { id: projectId, ...changes },
  groups: [oneOfThem],
  success: { status: 200, body: FullProject },
  refusals: { ...missing, 400: "Invalid attributes, taken names, no such branch.", 403: "Not a Maintainer, or not an Owner." }
})

export const deleteProject = endpoint({
  name: "projects.delete",
  area,
  method: "DELETE",
  path: "/projects/:id",
  summary: "Delete a project with its repository",
  access: "user",
  parameters: { id: projectId },
  success: { status: 202, body: Accepted },
  refusals: { ...missing, 403: "Not an Owner.", 412: "The project was changed after `If-Unmodified-Since`." }
})

/** Declares an action on a project that takes no parameters. */
export const actionOn = (action: string, summary: string, refusals: Readonly<Record<number, string>> = {}) =>
  endpoint({
    name: `projects.${action}`,
    area,
    method: "POST",
    path: `/projects/:id/${action}`,
    summary,
    access: "user",
    parameters: { id: projectId },
    success: { status: 201, body: FullProject },
    refusals: { ...missing, ...refusals }
  })

const ownersOnly = { 403: "Not an Owner." }
export const archiveProject = actionOn("archive", "Archive a project: it becomes read-only", ownersOnly)
export const unarchiveProject = actionOn("unarchive", "Unarchive a project", ownersOnly)

export const forkProjectInto = endpoint({
  name: "projects.fork",
  area,
  method: "POST",
  path: "/projects/:id/fork",
  summary: "Fork a project",
  description: "The copy of the repository is made before the answer.",
  access: "user",
  parameters: {
    id: projectId,
    namespace: { kind: "string", description: "ID or full path of the target namespace.", deprecated: true },
    namespace_id: { kind: "integer", description: "ID of the target namespace. Default: the caller's." },
    namespace_path: { kind: "string", description: "Full path of the target namespace." },
    path: { kind: "string", description: "Last segment of the path. Default: that of the source.", example: "example-fork" },
    name: { kind: "string", description: "Name. Default: that of the source.", example: "Example fork" },
    description: { kind: "string", description: "Description. Default: that of the source." },
    visibility: {
      kind: "string",
      values: visibilities,
      description: "Who may see the fork: at most who may see the source. Default: that."
    },
    mr_default_target_self: { kind: "boolean", description: "Merge requests of the fork go to the fork itself." },
    branches: { kind: "string", description: "The only branch to copy. Default: all branches and tags." }
  },
  groups: [{ rule: "mutuallyExclusive", names: ["namespace_id", "namespace_path"] }],
  success: { status: 201, body: FullProject },
  refusals: { 404: "No such project or target, or no right to fork.", 409: "Name or path is taken, or not allowed." }
})

export const listProjectForks = endpoint({
  name: "projects.listForks",
  area,
  method: "GET",
  path: "/projects/:id/forks",
  summary: "List the forks of a project that the caller may see",
  access: "anyone",
  parameters: { id: projectId, ...filters },
  paginated: true,
  success: { status: 200, body: lists },
  refusals: { ...missing, ...noSuchPage }
})

export const listProjectUsers = endpoint({
  name: "projects.listUsers",
  area,
  method: "GET",
  path: "/projects/:id/users",
  summary: "List the users who have a role in a project",
  access: "anyone",
  parameters: {
    id: projectId,
    search: { kind: "string", description: "Part of name or user name." },
    skip_users: { kind: "integerList", description: "Not these users." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(UserReference) },
  refusals: missing
})
