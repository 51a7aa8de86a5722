import { Effect } from "effect"
import { Repositories } from "../../git/Repositories.ts"
import { branchOf, branchRef, tagOf, tagRef } from "../../git/refs/refNames.ts"
import { forbidden, invalidRecord } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { guardedRoute } from "../../http/Endpoint.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import { accessLevel } from "../../members/levels.ts"
import { load } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { creates } from "../../platform/repeats/repeats.ts"
import { mayGiveVariables, type ReadableProject } from "../../projects/Projects.ts"
import { mayUpdateRef, policyOf } from "../../pushes/Pushes.ts"
import { branchCommit, tagTarget } from "../../repositories/Code.ts"
import { pipelineAggregate } from "../aggregate.ts"
import { presentVariable } from "../present.ts"
import { inProject, requirePipeline } from "../requirePipeline.ts"
import { openVariables, type PipelineVariable } from "../variables.ts"
import { answerAnew } from "../view.ts"
import { createPipeline, listPipelineVariables } from "./contract.ts"
import { createPipeline as create } from "./createPipeline.ts"
import { variableFaults } from "./variableFaults.ts"

const impossible = (...texts: ReadonlyArray<string>) => invalidRecord({ base: texts })

type Sent = NonNullable<Decoded<(typeof createPipeline)["parameters"]>["variables"]>

const variablesOf = Effect.fnUntraced(function* ({ principal, project }: ReadableProject, sent: Sent) {
  if (sent.length > 0 && !mayGiveVariables(principal, project)) {
    return yield* impossible("Insufficient permissions to set pipeline variables")
  }
  const faults = variableFaults(sent, "variables")
  if (faults !== undefined) return yield* invalidRecord(faults)
  return sent.map(
    ({ key, value, variable_type: type }): PipelineVariable => ({
      key: key ?? "",
      value: value ?? "",
      variableType: type === "file" ? "file" : "env_var",
      raw: false
    })
  )
})

const noReference = impossible("Reference not found")

/** The full name of a branch or tag. */
const fullName = Effect.fnUntraced(function* ({ project }: ReadableProject, text: string) {
  const repositories = yield* Repositories
  if (branchOf(text) !== undefined || tagOf(text) !== undefined) return text
  if (!(yield* repositories.exists(project.id))) return yield* noReference
  const repository = repositories.of(project.id)
  const [branch, tag] = [yield* branchCommit(repository, text), yield* tagTarget(repository, text)]
  if (branch !== undefined && tag !== undefined) return yield* impossible("Ref is ambiguous")
  if (branch === undefined && tag === undefined) return yield* noReference
  return branch === undefined ? tagRef(text) : branchRef(text)
})

const requireRef = Effect.fnUntraced(function* (guarded: ReadableProject, text: string) {
  const ref = yield* fullName(guarded, text)
  const tag = tagOf(ref)
  const target = { name: tag ?? branchOf(ref) ?? ref, isTag: tag !== undefined }
  if (mayUpdateRef(yield* policyOf(guarded, guarded.principal), target)) return ref
  return yield* impossible(
    `You do not have sufficient permission to run a pipeline on '${target.name}'. Please select a different branch or contact your administrator for assistance.`
  )
})

const post = guardedRoute(
  createPipeline,
  inProject("create_pipeline"),
  Effect.fnUntraced(function* ({ caller, guarded, parameters, request }) {
    const make = Effect.gen(function* () {
      const variables = yield* variablesOf(guarded, parameters.variables ?? [])
      const ref = yield* requireRef(guarded, parameters.ref)
      const id = yield* nextId("pipeline")
      const created = yield* create({
        id,
        project: guarded.project,
        ref,
        source: "api",
        by: caller.user,
        variables,
        serverUrl: request.externalUrl,
        keepsFaults: false,
        isNew: true
      })
      return created._tag === "PipelineRefused" ? yield* impossible(...created.texts) : { ...created, id }
    })
    const created = yield* creates(pipelineAggregate, make)
    yield* awaitReadModels(created)
    return yield* answerAnew(guarded, created.id, request)
  })
)

const variables = guardedRoute(
  listPipelineVariables,
  inProject("read_pipelines"),
  Effect.fnUntraced(function* ({ caller, guarded, parameters }) {
    const pipeline = yield* requirePipeline(guarded, parameters.pipeline_id)
    const { principal } = guarded
    const isMaker = pipeline.creator?.id === caller.user.id && principal.role >= accessLevel.developer
    if (!isMaker && !principal.isAdministrator && principal.role < accessLevel.maintainer) return yield* forbidden
    const { state } = yield* load(pipelineAggregate, pipeline.id)
    const sealed = state._tag === "Present" ? state.pipeline.origin.variables : undefined
    return ok((yield* openVariables(pipeline.project_id, sealed)).map(presentVariable))
  })
)

export const creationRoutes = [post, variables]
