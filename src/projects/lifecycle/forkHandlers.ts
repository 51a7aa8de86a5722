import { Effect } from "effect"
import { Groups, mayCreateProjects } from "../../groups/Groups.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { thingNotFound, WireError } from "../../http/answer/errors.ts"
import { presentFaults } from "../../http/answer/faults.ts"
import { ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import { defined } from "../../kernel/defined.ts"
import { camelCased } from "../../kernel/letterCase.ts"
import { lessVisible } from "../../kernel/visibility.ts"
import { can } from "../abilities.ts"
import { forkProjectInto } from "../contract.ts"
import type { NamespaceMissing, Refusal } from "../errors.ts"
import type { NamesTaken } from "../names.ts"
import { type ProjectRow, type ReadableProject, requireProject } from "../Projects.ts"
import { presentWritten } from "../reads/view.ts"
import { refuse } from "../refuse.ts"
import { RepositoryStorage } from "../repository/RepositoryStorage.ts"
import { defaultSettings, type SettingsChanges } from "../settings/settings.ts"
import { ceilingsOf, requireCapacity } from "./createHandlers.ts"
import { createsProject, forkProject } from "./writes.ts"

type ForkParameters = Decoded<(typeof forkProjectInto)["parameters"]>

const conflicts = (errors: Readonly<Record<string, ReadonlyArray<string>>>): WireError =>
  new WireError({ status: 409, body: { message: errors } })

const targetNotFound = thingNotFound("Target Namespace")
const taken = ["has already been taken"]

/** A fork answers 409 where a new project answers 400. */
const refuseFork = <A, R>(written: Effect.Effect<A, Refusal | NamesTaken | NamespaceMissing | WireError, R>) =>
  refuse(
    Effect.catchTag(written, ["NamesTaken", "NamespaceMissing", "ProjectInvalid"], (refusal) => {
      if (refusal._tag === "NamespaceMissing") return Effect.fail(targetNotFound)
      if (refusal._tag === "ProjectInvalid") return Effect.fail(conflicts(presentFaults(refusal.faults)))
      return Effect.fail(conflicts(Object.fromEntries(refusal.attributes.map((attribute) => [attribute, taken]))))
    })
  )

/** What a fork takes from its source besides the repository. */
const inherited = (source: ProjectRow): SettingsChanges =>
  camelCased({
    description: source.description,
    topics: source.topics,
    lfs_enabled: source.lfs_enabled,
    ci_config_path: source.ci_config_path,
    build_timeout: source.build_timeout,
    build_git_strategy: source.build_git_strategy,
    merge_method: source.merge_method,
    squash_option: source.squash_option,
    issues_access_level: source.issues_access_level,
    merge_requests_access_level: source.merge_requests_access_level,
    wiki_access_level: source.wiki_access_level,
    builds_access_level: source.builds_access_level,
    snippets_access_level: source.snippets_access_level
  })

const overrides = ({ description, mr_default_target_self: toItself }: ForkParameters): SettingsChanges =>
  defined({ description, mrDefaultTargetSelf: toItself ?? undefined })

/** The deprecated `namespace` counts where neither of the others is given. */
const targetOf = ({ namespace, namespace_id, namespace_path }: ForkParameters, own: number | null) =>
  namespace_id ?? (namespace_path || namespace || own)

/** The namespace of the fork. One of which the caller is no member is as hidden as one that is not there. */
const requireTarget = Effect.fnUntraced(function* (parameters: ForkParameters, caller: Caller) {
  const target = targetOf(parameters, caller.user.namespace_id)
  if (target === null) return yield* targetNotFound
  const found = yield* Groups.use((groups) => groups.find(String(target), caller.user.id))
  const isMember = found !== undefined && (caller.user.admin || found.role > 0)
  if (!isMember || found.isMoved) return yield* thingNotFound("Namespace")
  return mayCreateProjects(caller, found) ? found.namespace : yield* targetNotFound
})

const forked = Effect.fnUntraced(function* (
  { project: source, principal }: ReadableProject,
  caller: Caller,
  parameters: ForkParameters
) {
  if (!can("fork_project", principal, source)) return yield* new WireError({ status: 404, body: { message: "404 Not Found" } })
  const namespace = yield* requireTarget(parameters, caller)
  yield* requireCapacity(namespace, caller.user)
  const highest = namespace.kind === "group" ? lessVisible(source.visibility, namespace.visibility) : source.visibility
  const settings = { ...defaultSettings(parameters.name || source.name), ...inherited(source), ...overrides(parameters) }
  const newProject = {
    namespaceId: namespace.id,
    creatorId: caller.user.id,
    ownerId: namespace.owner_id,
    path: parameters.path || source.path,
    defaultBranch: null,
    settings: { ...settings, visibility: parameters.visibility ?? highest },
    forkedFrom: source.id,
    ceilings: [...ceilingsOf(namespace), { visibility: source.visibility, of: "fork source" } as const]
  }
  const branch = parameters.branches || null
  if (branch !== null && !(yield* RepositoryStorage.use((storage) => storage.hasBranch(source.id, branch)))) {
    return yield* thingNotFound("Branch")
  }
  return yield* forkProject(newProject, source.id, branch)
})

export const fork = route(
  forkProjectInto,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const source = yield* requireProject(input)
    const written = yield* refuseFork(createsProject(forked(source, caller, parameters)))
    yield* awaitReadModels(written)
    return ok(yield* presentWritten(written.id, input))
  })
)
