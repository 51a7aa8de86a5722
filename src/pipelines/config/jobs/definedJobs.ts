import { Result } from "effect"
import type { Budget } from "../Budget.ts"
import { type ConfigInvalid, invalid, tooComplex } from "../ConfigInvalid.ts"
import type { JobEntry } from "../entries/job.ts"
import type { NeedEntry } from "../entries/needs.ts"
import { maxDefinedJobs } from "../limits.ts"
import type { PlannedVariable } from "../plan.ts"

/** A job of the configuration; of a parallel one, one of the jobs that it becomes. */
export interface DefinedJob {
  readonly name: string
  readonly entry: JobEntry
  /** Where parallel jobs differ. */
  readonly variables: ReadonlyArray<PlannedVariable>
  readonly parallel?: { readonly index: number; readonly total: number }
  /** By the names of defined jobs. */
  readonly needs?: ReadonlyArray<NeedEntry>
  readonly dependencies?: ReadonlyArray<string>
}

/** All jobs by name, and what the names of parallel ones stand for. */
export interface DefinedJobs {
  readonly jobs: ReadonlyMap<string, DefinedJob>
  readonly needsOf: (needs: ReadonlyArray<NeedEntry>) => ReadonlyArray<NeedEntry>
}

const instancesOf = (entry: JobEntry): ReadonlyArray<DefinedJob> => {
  const { name, parallel } = entry
  if (parallel === undefined) return [{ name, entry, variables: [] }]
  const { instances, total } = parallel
  return instances().map(({ nameOf, variables }, index) => ({
    name: nameOf(name),
    entry,
    variables,
    parallel: { index: index + 1, total }
  }))
}

/** A parallel job that another one names stands for all that it becomes. */
export const definedJobs = (entries: ReadonlyArray<JobEntry>, budget: Budget): Result.Result<DefinedJobs, ConfigInvalid> => {
  const count = entries.reduce((sum, { parallel }) => sum + (parallel?.total ?? 1), 0)
  if (count > maxDefinedJobs) return Result.fail(invalid(`There may be no more than ${maxDefinedJobs} jobs in a configuration`))
  const names = new Map(
    entries.flatMap((entry) => (entry.parallel ? [[entry.name, instancesOf(entry).map(({ name }) => name)] as const] : []))
  )
  const namesOf = (name: string, only?: ReadonlyArray<string>): ReadonlyArray<string> => {
    const found = names.has(name) ? (only ?? names.get(name) ?? []) : [name]
    return budget.spend(found.length) ? found : []
  }
  const needsOf = (needs: ReadonlyArray<NeedEntry>): ReadonlyArray<NeedEntry> =>
    needs.flatMap(({ artifacts, name, only, optional }) => namesOf(name, only).map((one) => ({ name: one, artifacts, optional })))
  const jobs = entries.flatMap((entry) => {
    const { dependencies, needs } = entry
    const known = {
      ...(needs && { needs: needsOf(needs) }),
      ...(dependencies && { dependencies: dependencies.flatMap((name) => namesOf(name)) })
    }
    return instancesOf(entry).map((job) => [job.name, { ...job, ...known }] as const)
  })
  return budget.spend(0) ? Result.succeed({ jobs: new Map(jobs), needsOf }) : Result.fail(tooComplex())
}
