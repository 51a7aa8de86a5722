import { Result } from "effect"
import type { Budget } from "../Budget.ts"
import { type ConfigInvalid, invalid, tooComplex } from "../ConfigInvalid.ts"
import { deepMerge } from "../deepMerge.ts"
import { maxExtends } from "../limits.ts"
import { isList, isMap, type Value, type ValueMap } from "../value.ts"

type Extended<A> = Result.Result<A, ConfigInvalid>

/** A map with all that it extends, and how many extend one another to get there. */
interface Job {
  readonly value: Value
  readonly height: number
}

interface Extension {
  readonly config: ValueMap
  readonly budget: Budget
  readonly done: Map<string, Job>
}

const jobsAtOnce = 50

/** The configuration, in which each map that extends others has what they have; of several, the last one counts. */
export const extendJobs = function* (config: ValueMap, budget: Budget): Generator<void, Extended<ValueMap>, void> {
  const extension: Extension = { config, budget, done: new Map() }
  const extended = new Map<string, Value>()
  for (const [name, value] of config) {
    const job = extensible(value) ? extend(extension, name, []) : Result.succeed({ value, height: 0 })
    if (Result.isFailure(job)) return Result.fail(job.failure)
    extended.set(name, job.success.value)
    if (extended.size % jobsAtOnce === 0) yield
  }
  return budget.spend(0) ? Result.succeed(extended) : Result.fail(tooComplex())
}

const extensible = (value: Value | undefined): value is ValueMap => isMap(value) && value.has("extends")

const basesOf = (job: ValueMap): ReadonlyArray<string> => {
  const bases = job.get("extends") ?? []
  return (isList(bases) ? bases : [bases]).map((base) => (typeof base === "object" ? "" : String(base)))
}

/** `path` are those that extend it. */
const extend = (extension: Extension, name: string, path: ReadonlyArray<string>): Extended<Job> => {
  const { budget, config, done } = extension
  const value = config.get(name) ?? null
  if (!extensible(value)) return Result.succeed({ value, height: 0 })
  const known = done.get(name)
  if (known !== undefined && path.length + known.height <= maxExtends) return Result.succeed(known)
  const bases = basesOf(value)
  if (!budget.spend(1 + bases.length)) return Result.fail(tooComplex())
  const fault = faultOf(config, bases) ?? pathFault(name, path)
  if (fault !== undefined) return Result.fail(invalid(`${name}: ${fault}`))
  return Result.map(Result.all(bases.map((base) => extend(extension, base, [...path, name]))), (jobs) => {
    const job = { value: joined(extension, value, jobs), height: 1 + Math.max(0, ...jobs.map(({ height }) => height)) }
    done.set(name, job)
    return job
  })
}

const faultOf = (config: ValueMap, bases: ReadonlyArray<string>): string | undefined => {
  const unknown = bases.filter((base) => !config.has(base))
  if (unknown.length > 0) return `unknown keys in \`extends\` (${unknown.join(", ")})`
  const wrong = bases.filter((base) => !isMap(config.get(base)))
  return wrong.length > 0 ? `invalid base hashes in \`extends\` (${wrong.join(", ")})` : undefined
}

const pathFault = (name: string, path: ReadonlyArray<string>): string | undefined => {
  if (path.length >= maxExtends) return "nesting too deep in `extends`"
  return path.includes(name) ? "circular dependency detected in `extends`" : undefined
}

const joined = ({ budget }: Extension, value: ValueMap, bases: ReadonlyArray<Job>): ValueMap =>
  [...bases.map((base) => base.value), value]
    .filter(isMap)
    .reduce((merged, map) => deepMerge(merged, map, budget), new Map<string, Value>())
