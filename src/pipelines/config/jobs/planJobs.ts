import type { Schema } from "effect"
import { Effect, Result } from "effect"
import { inSlices } from "../../../kernel/inSlices.ts"
import { type ConfigInvalid, invalid, tooComplex } from "../ConfigInvalid.ts"
import { maxJobs, maxNeeds, maxPlanWeight } from "../limits.ts"
import type { JobPlan } from "../plan.ts"
import { toJson, type ValueMap } from "../value.ts"
import { circleFault, type StageIndices } from "./checkJobs.ts"
import { type Planning, planJob, type WantedJob } from "./planJob.ts"

const jobsAtOnce = 20

/** The jobs that the rules want, by stage and then as in the configuration. */
export const planJobs = Effect.fnUntraced(function* (stages: StageIndices, planning: Planning) {
  const wanted: Array<WantedJob> = []
  let weight = 0
  let count = 0
  for (const job of planning.jobs.jobs.values()) {
    const one = yield* planJob(job, planning)
    if (!planning.budget.spend(1)) return yield* tooComplex()
    if (++count % jobsAtOnce === 0) yield* Effect.yieldNow
    if (one === undefined) continue
    wanted.push(one)
    weight += one.weight
    if (weight > maxPlanWeight) return yield* invalid("The jobs of the pipeline are too large together")
  }
  if (wanted.length > maxJobs) return yield* invalid(`The number of jobs has exceeded the limit of ${maxJobs}.`)
  const indexOf = ({ plan: { stage } }: WantedJob): number => stages.get(stage) ?? 0
  const sorted = wanted.toSorted((one, other) => indexOf(one) - indexOf(other))
  return yield* Effect.fromResult(yield* inSlices(finishing(sorted)))
})

function* finishing(
  wanted: ReadonlyArray<WantedJob>
): Generator<void, Result.Result<ReadonlyArray<JobPlan>, ConfigInvalid>, void> {
  const names = new Set(wanted.map(({ plan }) => plan.name))
  const [first, ...others] = wanted.flatMap((one) => [...needFaults(one, names), ...(one.fault === undefined ? [] : [one.fault])])
  if (first !== undefined) return Result.fail(invalid(first, ...others))
  const definitions = new Map<ValueMap, Schema.JsonObject>()
  const definitionOf = (handed: ValueMap): Schema.JsonObject => {
    const definition =
      definitions.get(handed) ?? Object.fromEntries(Array.from(handed, ([keyword, value]) => [keyword, toJson(value)]))
    definitions.set(handed, definition)
    return definition
  }
  const plans: Array<JobPlan> = []
  for (const { handed, needs, plan } of wanted) {
    const present = needs?.filter(({ name }) => names.has(name)).map(({ artifacts, name }) => ({ name, artifacts }))
    plans.push({ ...plan, ...(present && { needs: present }), definition: definitionOf(handed) })
    if (plans.length % jobsAtOnce === 0) yield
  }
  // Rules may make circles that the configuration as a whole has not.
  const circle = circleFault(new Map(plans.map(({ name, needs = [] }) => [name, needs.map((need) => need.name)])))
  return circle === undefined ? Result.succeed(plans) : Result.fail(invalid(circle))
}

const needFaults = ({ needs = [], plan: { name } }: WantedJob, names: ReadonlySet<string>): ReadonlyArray<string> => {
  if (needs.length > maxNeeds) {
    const counts = `one job can only need ${maxNeeds} others, but you have listed ${needs.length}`
    return [`${name}: ${counts}. See needs keyword documentation for more details`]
  }
  return needs
    .filter((need) => !need.optional && !names.has(need.name))
    .map(
      (need) =>
        `'${name}' job needs '${need.name}' job, but '${need.name}' does not exist in the pipeline. ` +
        "This might be because of the only, except, or rules keywords. " +
        "To need a job that sometimes does not exist in the pipeline, use needs:optional."
    )
}
