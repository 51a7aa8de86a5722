import { Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import { requireUnmodified } from "../../http/answer/conditional.ts"
import { invalidRecord, notFound, thingNotFound } from "../../http/answer/errors.ts"
import { presentFaults } from "../../http/answer/faults.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { noContent, ok, page } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { type Input, route } from "../../http/Endpoint.ts"
import { handle } from "../../platform/Commands.ts"
import { creates } from "../../platform/repeats.ts"
import { can, Projects, principalOf, requireProject } from "../../projects/Projects.ts"
import { deployKeyAggregate } from "../deployKey/aggregate.ts"
import type { KeyInvalid } from "../errors.ts"
import { titleTexts } from "../faults.ts"
import { presentProjectKey } from "../present.ts"
import { type FoundKey, KeyQueries } from "../Queries.ts"
import { refuse } from "../refuse.ts"
import { parseSshPublicKey } from "../sshPublicKey.ts"
import { createDeployKey, disableDeployKey, enableDeployKey } from "../writes.ts"
import {
  addProjectKey,
  changeProjectKey,
  enableProjectKey,
  listProjectKeys,
  readProjectKey,
  removeProjectKey
} from "./deployKeyContract.ts"

const deployKeyNotFound = thingNotFound("Deploy Key")

const managed = Effect.fnUntraced(function* (input: Parameters<typeof requireProject>[0]) {
  return (yield* requireProject(input, "manage_deploy_keys")).project.id
})

/** A deploy key as the project uses it, as the read model has it now. */
const presented = Effect.fnUntraced(function* (projectId: number, keyId: number) {
  const row = yield* KeyQueries.use((keys) => keys.findOfProject(projectId, keyId))
  return row === undefined ? yield* notFound : ok(presentProjectKey(row))
})

/** Whether the caller may use a key in more projects: a public one, one of a project of theirs, one that no project has any more. */
const mayUse = Effect.fnUntraced(function* (key: FoundKey, caller: Caller) {
  if (key.public || caller.user.admin || key.links.length === 0) return true
  const projects = yield* Projects
  const found = yield* Effect.forEach(key.links, ({ project_id }) => projects.find(String(project_id), caller.user.id))
  return found.some((one) => one !== undefined && can("manage_deploy_keys", principalOf(caller, one.role), one.project))
})

/** Whether the caller may rename a key: those who manage the deploy keys of all projects that use it, and of a public one nobody else. */
const mayRetitle = Effect.fnUntraced(function* (keyId: number, caller: Caller) {
  if (caller.user.admin) return true
  const key = yield* KeyQueries.use((keys) => keys.findDeployKey(keyId))
  if (key === undefined || key.public) return false
  const projects = yield* Projects
  const found = yield* Effect.forEach(key.links, ({ project_id }) => projects.find(String(project_id), caller.user.id))
  return found.every((one) => one !== undefined && can("manage_deploy_keys", principalOf(caller, one.role), one.project))
})

const list = route(
  listProjectKeys,
  Effect.fnUntraced(function* (input) {
    const projectId = yield* managed(input)
    const { rows, total } = yield* KeyQueries.use((keys) => keys.listOfProject(projectId, pageOf(input.parameters)))
    return page(rows.map(presentProjectKey), total)
  })
)

const read = route(
  readProjectKey,
  Effect.fnUntraced(function* (input) {
    const projectId = yield* managed(input)
    return yield* presented(projectId, input.parameters.key_id ?? (yield* notFound))
  })
)

/** The deploy key that is there already with this text, and that the caller may use. */
const known = Effect.fnUntraced(function* (text: string, caller: Caller) {
  const key = parseSshPublicKey(text)
  if (key === undefined) return undefined
  const fingerprint = { kind: "sha256", text: key.fingerprintSha256 } as const
  const found = yield* KeyQueries.use((keys) => keys.findByFingerprint(fingerprint))
  return found?.kind === "deploy" && (yield* mayUse(found, caller)) ? found : undefined
})

const invalid = ({ faults }: KeyInvalid) => invalidRecord(presentFaults(faults, (attribute) => `deploy_key.${attribute}`))

/** Creates a key, or lets the project use the one that is there already. */
const added = Effect.fnUntraced(function* (
  projectId: number,
  { caller, parameters }: Input<typeof addProjectKey.parameters, "user">
) {
  const text = parameters.key ?? ""
  const use = { projectId, canPush: parameters.can_push }
  const there = yield* known(text, caller)
  if (there !== undefined) return yield* refuse(enableDeployKey(there.id, use))
  const keyInput = { creatorId: caller.user.id, title: parameters.title ?? "", text, expiresAt: parameters.expires_at ?? null }
  const create = Effect.catchTag(createDeployKey(keyInput, use), "KeyInvalid", (refusal) => Effect.fail(invalid(refusal)))
  return yield* refuse(create)
})

const add = route(
  addProjectKey,
  Effect.fnUntraced(function* (input) {
    const projectId = yield* managed(input)
    const written = yield* creates(deployKeyAggregate, added(projectId, input))
    yield* awaitReadModels(written)
    return yield* presented(projectId, written.id)
  })
)

const change = route(
  changeProjectKey,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const projectId = yield* managed(input)
    const keyId = parameters.key_id ?? (yield* notFound)
    const row = yield* KeyQueries.use((keys) => keys.findOfProject(projectId, keyId))
    if (row === undefined) return yield* notFound
    const { can_push: canPush } = parameters
    const title = typeof parameters.title === "string" && (yield* mayRetitle(keyId, caller)) ? parameters.title : undefined
    if (title !== undefined) {
      const texts = titleTexts(title)
      if (texts.length > 0) return yield* invalidRecord({ "deploy_key.title": texts })
    }
    // Whatever is there already is sent too: the commands of a repeated request must be those of its first run.
    const retitled =
      title !== undefined ? yield* refuse(handle(deployKeyAggregate, keyId, { _tag: "Retitle", title })) : undefined
    const changed =
      typeof canPush === "boolean"
        ? yield* refuse(handle(deployKeyAggregate, keyId, { _tag: "ChangePushRight", projectId, canPush }))
        : retitled
    if (changed !== undefined) yield* awaitReadModels(changed)
    return yield* presented(projectId, keyId)
  })
)

const enable = route(
  enableProjectKey,
  Effect.fnUntraced(function* (input) {
    const projectId = yield* managed(input)
    const keyId = input.parameters.key_id ?? (yield* deployKeyNotFound)
    const key = yield* KeyQueries.use((keys) => keys.findDeployKey(keyId))
    if (key === undefined || !(yield* mayUse(key, input.caller))) return yield* deployKeyNotFound
    yield* awaitReadModels(yield* refuse(enableDeployKey(key.id, { projectId, canPush: false })))
    return yield* presented(projectId, key.id)
  })
)

const remove = route(
  removeProjectKey,
  Effect.fnUntraced(function* (input) {
    const projectId = yield* managed(input)
    const keyId = input.parameters.key_id ?? (yield* deployKeyNotFound)
    const key = yield* KeyQueries.use((keys) => keys.findDeployKey(keyId))
    const use = key?.links.find(({ project_id }) => project_id === projectId)
    if (use !== undefined) yield* requireUnmodified(use.updated_at, input.request)
    yield* awaitReadModels(yield* refuse(disableDeployKey(keyId, projectId)))
    return noContent
  })
)

export const projectKeyRoutes = [list, read, add, change, enable, remove]
