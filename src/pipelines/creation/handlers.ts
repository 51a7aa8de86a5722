import { Effect } from "effect"
import { forbidden, invalidRecord } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { lateGuardedRoute } from "../../http/Endpoint.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import { accessLevel } from "../../members/levels.ts"
import { load } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { creates } from "../../platform/repeats.ts"
import { mayGiveVariables, type ReadableProject } from "../../projects/Projects.ts"
import { pipelineAggregate } from "../aggregate.ts"
import { presentVariable } from "../present.ts"
import type { PipelineDetails } from "../Queries.ts"
import { inProject, requirePipeline } from "../requirePipeline.ts"
import { openVariables, type PipelineVariable } from "../variables.ts"
import { answerAnew } from "../view.ts"
import { createPipeline, listPipelineVariables } from "./contract.ts"
import { createPipeline as create, isSwitchedOff, switchedOff } from "./createPipeline.ts"
import { mayUse, nameRef, targetOf } from "./refs.ts"
import { ScheduleVariables } from "./ScheduleVariables.ts"
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

const requireRef = Effect.fnUntraced(function* (guarded: ReadableProject, text: string) {
  const { isAmbiguous, ref } = yield* nameRef(guarded, text)
  if (ref === undefined) return yield* isAmbiguous ? impossible("Ref is ambiguous") : noReference
  const target = targetOf(ref)
  if (yield* mayUse(guarded, target)) return ref
  return yield* impossible(
    `You do not have sufficient permission to run a pipeline on '${target.name}'. Please select a different branch or contact your administrator for assistance.`
  )
})

const post = lateGuardedRoute(
  createPipeline,
  inProject("create_pipeline"),
  Effect.fnUntraced(function* ({ caller, guarded, parameters, request }) {
    const make = Effect.gen(function* () {
      if (isSwitchedOff(guarded.project)) return yield* impossible(...switchedOff.texts)
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
        isNew: true
      })
      return created._tag === "PipelineRefused" ? yield* impossible(...created.texts) : { ...created, id }
    })
    const created = yield* creates(pipelineAggregate, make)
    yield* awaitReadModels(created)
    return yield* answerAnew(guarded, created.id, request)
  })
)

/**
 * Whether somebody below Maintainer may see the variables of a pipeline that they made. Whoever plays a schedule makes a pipeline of it, and
 * would learn what the schedule does not tell them.
 */
const mayReadAsMaker = Effect.fnUntraced(function* (guarded: ReadableProject, userId: number, pipeline: PipelineDetails) {
  if (pipeline.creator?.id !== userId || guarded.principal.role < accessLevel.developer) return false
  const { schedule_id: scheduleId } = pipeline
  return scheduleId === null || (yield* ScheduleVariables.use(({ mayRead }) => mayRead(guarded, userId, scheduleId)))
})

const requireVariables = Effect.fnUntraced(function* (
  guarded: ReadableProject,
  userId: number | undefined,
  pipeline: PipelineDetails
) {
  const { isAdministrator, role } = guarded.principal
  if (isAdministrator || role >= accessLevel.maintainer) return
  if (userId === undefined || !(yield* mayReadAsMaker(guarded, userId, pipeline))) return yield* forbidden
})

const variables = lateGuardedRoute(
  listPipelineVariables,
  inProject("read_pipelines"),
  Effect.fnUntraced(function* ({ caller, guarded, parameters }) {
    const pipeline = yield* requirePipeline(guarded, parameters.pipeline_id)
    yield* requireVariables(guarded, caller?.user.id, pipeline)
    const { state } = yield* load(pipelineAggregate, pipeline.id)
    const sealed = state._tag === "Present" ? state.pipeline.origin.variables : undefined
    return ok((yield* openVariables(pipeline.project_id, sealed)).map(presentVariable))
  })
)

export const creationRoutes = [post, variables]
