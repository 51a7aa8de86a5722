import { Effect } from "effect"
import { Groups } from "../../groups/Groups.ts"
import { accepted } from "../../http/answer/accepted.ts"
import { requireUnmodified } from "../../http/answer/conditional.ts"
import { badRequest, forbidden, invalidRecord } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { type Input, route } from "../../http/Endpoint.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import { defined, nullAs } from "../../kernel/defined.ts"
import { handle } from "../../platform/Commands.ts"
import { changesFound } from "../../platform/repeats.ts"
import { can } from "../abilities.ts"
import { projectAggregate } from "../aggregate.ts"
import type { Ceiling } from "../commands.ts"
import { archiveProject, changeProjectSettings, deleteProject, unarchiveProject } from "../contract.ts"
import { type ProjectRow, Projects, requireProject } from "../Projects.ts"
import { presentWritten } from "../reads/view.ts"
import { refuse } from "../refuse.ts"
import { settingsOf } from "../settings/input.ts"
import { ceilingsOf } from "./createHandlers.ts"
import { changeProject, removeProject } from "./writes.ts"

type Changes = Decoded<(typeof changeProjectSettings)["parameters"]>

/** What limits the visibility of a project: its group, and the project that it is a fork of. */
const ceilingsAround = Effect.fnUntraced(function* (id: number) {
  const projects = yield* Projects
  const own = yield* projects.find(String(id), undefined)
  if (own === undefined) return []
  const { forked_from_id, namespace_id } = own.project
  const found = yield* Groups.use((groups) => groups.find(String(namespace_id), undefined))
  const source = yield* forked_from_id === null ? Effect.undefined : projects.find(String(forked_from_id), undefined)
  const bySource: ReadonlyArray<Ceiling> =
    source === undefined ? [] : [{ visibility: source.project.visibility, of: "fork source" }]
  return [...(found === undefined ? [] : ceilingsOf(found.namespace)), ...bySource]
})

const changeOf = (parameters: Changes) => ({
  ...defined({ path: nullAs(parameters.path, ""), defaultBranch: parameters.default_branch || undefined }),
  changes: { ...settingsOf(parameters), ...defined({ name: nullAs(parameters.name, "") }) }
})

const ownerRoleRefused = badRequest("Changing the ci_pipeline_variables_minimum_override_role to the owner role is not allowed")

const limitRefused = badRequest(
  "Changing the restrict_user_defined_variables or ci_pipeline_variables_minimum_override_role is not allowed"
)

/** What is refused to those who are no owners: to limit variables to owners, and to change that limit. */
const refusedOfVariables = (parameters: Changes, project: ProjectRow) => {
  const { ci_pipeline_variables_minimum_override_role: role, restrict_user_defined_variables: isRestricted } = parameters
  const { ci_pipeline_variables_minimum_override_role: before, restrict_user_defined_variables: wasRestricted } = project
  if (before !== "owner") return role === "owner" ? ownerRoleRefused : undefined
  // Not to restrict variables takes the limit away, whatever was before.
  const isSame = (role ?? before) === before && isRestricted !== false && (isRestricted ?? wasRestricted) === wasRestricted
  return isSame ? undefined : limitRefused
}

const forksOnly = invalidRecord({
  "project_setting.mr_default_target_self": ["This setting is allowed for forked projects only"]
})

/** The project of a request, if the caller may change it so. */
const changeable = Effect.fnUntraced(function* (input: Input<typeof changeProjectSettings.parameters, "user">) {
  const { name, visibility } = input.parameters
  const { project, principal } = yield* requireProject(input, "admin_project")
  if (name && !can("rename_project", principal, project)) return yield* forbidden
  if (visibility && !can("change_visibility", principal, project)) return yield* forbidden
  const refused = can("limit_variables_to_owners", principal, project) ? undefined : refusedOfVariables(input.parameters, project)
  if (refused !== undefined) return yield* refused
  if (input.parameters.mr_default_target_self === true && project.forked_from_id === null) return yield* forksOnly
  return project
})

const change = route(
  changeProjectSettings,
  Effect.fnUntraced(function* (input) {
    const { parameters } = input
    const { id } = yield* changesFound(projectAggregate, changeable(input), Effect.succeed)
    const ceilings = parameters.visibility ? yield* ceilingsAround(id) : []
    yield* awaitReadModels(yield* refuse(changeProject(id, { ...changeOf(parameters), ceilings })))
    return ok(yield* presentWritten(id, input))
  })
)

const removable = Effect.fnUntraced(function* (input: Parameters<typeof requireProject>[0]) {
  const { project } = yield* requireProject(input, "remove_project")
  yield* requireUnmodified(project.updated_at, input.request)
  return project
})

const remove = route(
  deleteProject,
  Effect.fnUntraced(function* (input) {
    const { id } = yield* changesFound(projectAggregate, removable(input), Effect.succeed)
    yield* awaitReadModels(yield* refuse(removeProject(id)))
    return accepted
  })
)

const archival = (declared: typeof archiveProject, command: "Archive" | "Unarchive") =>
  route(
    declared,
    Effect.fnUntraced(function* (input) {
      const { project } = yield* requireProject(input, "archive_project")
      yield* awaitReadModels(yield* refuse(handle(projectAggregate, project.id, { _tag: command })))
      return ok(yield* presentWritten(project.id, input))
    })
  )

export const changeRoutes = [change, remove, archival(archiveProject, "Archive"), archival(unarchiveProject, "Unarchive")]
