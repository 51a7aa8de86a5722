import { type NewJob, PipelineEvent, type When } from "./events.ts"
import { type Build, evolve, latestBuilds, type Pipeline, partOf, type State } from "./state.ts"
import { isFinished, type Status, type StatusPart, statusOfAll, statusOfNeeds } from "./status.ts"

// What follows for jobs that wait, and for the pipeline as a whole, from what the others have come to.

const { cases } = PipelineEvent

type Before = "success" | "failed" | "canceled" | "skipped"

/** How what is before a job must have ended for it to begin; those that name what they need are stricter. */
const begins: Readonly<Record<When, { readonly byStage: ReadonlyArray<Before>; readonly byNeeds: ReadonlyArray<Before> }>> = {
  on_success: { byStage: ["success", "skipped"], byNeeds: ["success"] },
  manual: { byStage: ["success", "skipped"], byNeeds: ["success"] },
  on_failure: { byStage: ["failed"], byNeeds: ["failed"] },
  always: { byStage: ["success", "failed", "skipped"], byNeeds: ["success", "failed", "skipped"] }
}

const nextStatus = ({ needs, when }: NewJob, before: Status): Status | undefined => {
  if (!isFinished(before)) return undefined
  const { byNeeds, byStage } = begins[when]
  const among: ReadonlyArray<Status> = needs === undefined ? byStage : byNeeds
  if (!among.includes(before)) return "skipped"
  return when === "manual" ? "manual" : "pending"
}

/** The builds of each stage, in the order of stages. */
const byStage = (builds: ReadonlyArray<Build>): ReadonlyArray<ReadonlyArray<Build>> =>
  [...Map.groupBy(builds, ({ plan }) => plan.stageIndex)].sort(([a], [b]) => a - b).map(([, ofStage]) => ofStage)

/** What jobs that were created move to now: those of one stage after those of the one before, which they may wait for. */
const movesOf = (pipeline: Pipeline): ReadonlyArray<PipelineEvent> => {
  if (![...pipeline.tallies.values()].some(({ status }) => status === "created")) return []
  const builds = latestBuilds(pipeline)
  const byName = new Map(builds.map((build) => [build.name, partOf(build)]))
  // Equal parts count once: however many jobs there are, these are few.
  const before = new Map<string, StatusPart>()
  const moves: Array<PipelineEvent> = []
  for (const ofStage of byStage(builds)) {
    const ofStagesBefore = before.size === 0 ? "success" : statusOfAll(before.values())
    for (const build of ofStage) {
      const status = build.status === "created" ? nextStatus(build.plan, statusBefore(build, byName, ofStagesBefore)) : undefined
      if (status === undefined) continue
      moves.push(cases.JobMoved.make({ id: build.id, status }))
      byName.set(build.name, { ...partOf(build), status })
    }
    for (const { name } of ofStage) {
      const part = byName.get(name)
      if (part !== undefined) before.set(`${part.status} ${part.allowFailure}`, part)
    }
  }
  return moves
}

/** How that for which a job waits has ended together. */
const statusBefore = ({ plan: { needs } }: Build, byName: ReadonlyMap<string, StatusPart>, ofStagesBefore: Status): Status =>
  needs === undefined ? ofStagesBefore : statusOfNeeds(needs.map((name) => byName.get(name)).filter((part) => part !== undefined))

/** The status of the pipeline as a whole. */
const statusOf = (pipeline: Pipeline): Status => {
  const { tallies } = pipeline
  if (tallies.size > 0) return statusOfAll(tallies.values())
  const { isSkipped, yamlErrors } = pipeline.origin
  if (isSkipped === true) return "skipped"
  return yamlErrors === undefined ? pipeline.status : "failed"
}

const moveOf = (pipeline: Pipeline): ReadonlyArray<PipelineEvent> => {
  const [status, { hasStarted, status: before }] = [statusOf(pipeline), pipeline]
  return status === before ? [] : [cases.PipelineMoved.make({ status, isStart: status === "running" && !hasStarted })]
}

/** These events, and all that follows from them at once. */
export const settled = (state: State, events: ReadonlyArray<PipelineEvent>): ReadonlyArray<PipelineEvent> => {
  const all = [...events]
  let after = events.reduce(evolve, state)
  while (after._tag === "Present") {
    const moves = movesOf(after.pipeline)
    all.push(...(moves.length > 0 ? moves : moveOf(after.pipeline)))
    if (moves.length === 0) return all
    after = moves.reduce(evolve, after)
  }
  return all
}
