import { Result } from "effect"
import type { Budget } from "../Budget.ts"
import { type ConfigInvalid, invalid, tooComplex } from "../ConfigInvalid.ts"
import { circlesIn, type Graph } from "../components.ts"
import type { NeedEntry } from "../entries/needs.ts"
import { inspected } from "../value.ts"
import type { DefinedJob, DefinedJobs } from "./definedJobs.ts"

const maxNameLength = 255

/** The places of the stages by name. */
export type StageIndices = ReadonlyMap<string, number>

export const stageIndices = (stages: ReadonlyArray<string>): StageIndices => new Map(stages.map((stage, index) => [stage, index]))

/** Whether the jobs fit together: their stages are there, and what they wait for is there and not in later stages. Pauses after each job. */
export function* checkJobs(
  { jobs, needsOf }: DefinedJobs,
  stages: StageIndices,
  budget: Budget
): Generator<void, Result.Result<void, ConfigInvalid>, void> {
  for (const job of jobs.values()) {
    const needs = [job.needs ?? [], ...(job.entry.rules ?? []).map((rule) => needsOf(rule.needs ?? []))]
    const count = needs.reduce((sum, one) => sum + one.length, job.dependencies?.length ?? 0)
    if (!budget.spend(count)) return Result.fail(tooComplex())
    const fault =
      stageFault(job, stages) ?? dependencyFault(job, jobs, stages) ?? firstOf(needs, (one) => needFault(job, one, jobs, stages))
    if (fault !== undefined) return Result.fail(invalid(fault))
    yield
  }
  const circle = circleFault(new Map(Array.from(jobs, ([name, { needs = [] }]) => [name, needs.map((need) => need.name)])))
  return circle === undefined ? Result.succeed(undefined) : Result.fail(invalid(circle))
}

const firstOf = <A>(list: ReadonlyArray<A>, find: (one: A) => string | undefined): string | undefined => {
  for (const one of list) {
    const found = find(one)
    if (found !== undefined) return found
  }
  return undefined
}

const stageFault = ({ entry: { stage }, name }: DefinedJob, stages: StageIndices): string | undefined =>
  stages.has(stage)
    ? undefined
    : `${name} job: chosen stage ${stage} does not exist; available stages are ${[...stages.keys()].join(", ")}`

type Jobs = DefinedJobs["jobs"]

const dependencyFault = (job: DefinedJob, jobs: Jobs, stages: StageIndices): string | undefined =>
  firstOf(job.dependencies ?? [], (name) =>
    jobs.has(name) ? orderFault(job, "dependency", name, jobs, stages) : `${job.name} job: undefined dependency: ${name}`
  )

const orderFault = (job: DefinedJob, kind: string, name: string, jobs: Jobs, stages: StageIndices): string | undefined => {
  const own = stages.get(job.entry.stage) ?? 0
  const other = stages.get(jobs.get(name)?.entry.stage ?? "")
  if (other !== undefined && other <= own) return undefined
  return `${job.name} job: ${kind} ${name} is not defined in current or prior stages`
}

const needFault = (job: DefinedJob, needs: ReadonlyArray<NeedEntry>, jobs: Jobs, stages: StageIndices): string | undefined => {
  const wrong = firstOf(needs, ({ name, optional }) => {
    if (!jobs.has(name)) return optional ? undefined : `${job.name} job: undefined need: ${name}`
    if (name.length > maxNameLength)
      return `${job.name} job: need \`${name}\` name is too long (maximum is ${maxNameLength} characters)`
    return orderFault(job, "need", name, jobs, stages)
  })
  if (wrong !== undefined) return wrong
  if (new Set(needs.map(({ name }) => name)).size === needs.length) return undefined
  const counts = Map.groupBy(needs, ({ name }) => name)
  const twice = [...counts].filter(([, same]) => same.length > 1).map(([name]) => name)
  return `${job.name} has the following needs duplicated: ${twice.join(", ")}.`
}

/** What is wrong with jobs that wait for one another in a circle; undefined if none do. */
export const circleFault = (needs: Graph): string | undefined => {
  const self = [...needs].find(([name, names]) => names.includes(name))
  if (self !== undefined) return `The pipeline has circular dependencies: self-dependency: ${self[0]}`
  const [circle] = circlesIn(needs)
  if (circle === undefined) return undefined
  return `The pipeline has circular dependencies: topological sort failed: ${inspected(circle)}`
}
