import { Effect, Result } from "effect"
import { inSlices } from "../../../kernel/inSlices.ts"
import { spanned } from "../../../platform/logging/tracing.ts"
import { Budget } from "../Budget.ts"
import { type ConfigInvalid, invalid, tooBig, tooComplex } from "../ConfigInvalid.ts"
import type { Context, Files } from "../context.ts"
import { type ConfigEntry, readConfig } from "../entries/config.ts"
import { type Reading, startReading } from "../entries/place.ts"
import type { Rule } from "../entries/rules.ts"
import { checkJobs, stageIndices } from "../jobs/checkJobs.ts"
import { definedJobs } from "../jobs/definedJobs.ts"
import { planJobs } from "../jobs/planJobs.ts"
import { maxSteps } from "../limits.ts"
import type { Compiled } from "../plan.ts"
import { type Judge, makeJudge } from "../rules/judge.ts"
import { knownVariables, type Scope, scopeOf, type VariableMap, variableMap } from "../scope.ts"
import { extendJobs } from "./extendJobs.ts"
import { withIncludes } from "./includes.ts"
import { resolveReferences } from "./resolveReferences.ts"

/**
 * What a configuration means for one pipeline; null is the text of one that is too long. Never dies: whatever is wrong with the text is in
 * the result.
 */
export const compile = (text: string | null, context: Context, files: Files): Effect.Effect<Compiled> =>
  compiled(text, context, files).pipe(
    Effect.catchTag(
      "ConfigInvalid",
      ({ faults }): Effect.Effect<Compiled> => Effect.succeed({ _tag: "Invalid", errors: faults })
    ),
    spanned("pipelines.compile")
  )

/** What does not change while one configuration is compiled. */
interface Compilation {
  readonly reading: Reading
  readonly judge: Judge
  readonly overriding: VariableMap
  readonly predefined: VariableMap
}

const compiled = Effect.fnUntraced(function* (text: string | null, context: Context, files: Files) {
  if (text === null) return yield* tooBig()
  if (text.trim() === "") return yield* invalid("Please provide content of .gitlab-ci.yml")
  const reading = startReading(new Budget(maxSteps))
  const judge = yield* makeJudge(reading, files, context)
  const overriding = knownVariables(context.variables)
  const predefined = knownVariables(context.predefined)
  const compilation: Compilation = { reading, judge, overriding, predefined }
  const scope = scopeOf([overriding, predefined], reading.budget)
  const included = yield* withIncludes(text, { files, judge, reading, scope })
  const extended = yield* Effect.fromResult(yield* inSlices(extendJobs(included, reading.budget)))
  const resolved = yield* Effect.fromResult(yield* inSlices(resolveReferences(extended, reading.budget)))
  const config = yield* inSlices(readConfig(resolved, reading))
  yield* checkReading(reading)
  return yield* planned(config, compilation)
})

/** What is wrong once the budget is spent is wrong for that reason only. */
const checkReading = ({ budget, faults: [first, ...others] }: Reading): Effect.Effect<void, ConfigInvalid> => {
  if (!budget.spend(0)) return Effect.fail(tooComplex())
  return first === undefined ? Effect.void : Effect.fail(invalid(first, ...others))
}

const planned = Effect.fnUntraced(function* (config: ConfigEntry, { judge, overriding, predefined, reading }: Compilation) {
  const { budget } = reading
  const jobs = yield* Effect.fromResult(definedJobs(config.jobs, budget))
  const stages = stageIndices(config.stages)
  yield* Effect.fromResult(yield* inSlices(checkJobs(jobs, stages, budget)))
  const variables = variableMap(config.variables)
  const rule = yield* workflowRule(config, judge, scopeOf([overriding, variables, predefined], budget))
  if (rule === undefined) return filtered
  const global = variableMap([...config.variables, ...(rule.variables ?? [])])
  const plans = yield* planJobs(stages, { budget, judge, jobs, overriding, global, predefined })
  if (plans.every(({ stage }) => stage === ".pre" || stage === ".post")) return noJobs
  const name = yield* Effect.fromResult(nameOf(config, scopeOf([overriding, global, predefined], budget)))
  const plan: Compiled = { _tag: "Planned", stages: config.stages, jobs: plans, name }
  return plan
})

const filtered: Compiled = { _tag: "Filtered" }
const noJobs: Compiled = { _tag: "NoJobs" }

/** The rule by which there is a pipeline; undefined if there is none. */
const workflowRule = Effect.fnUntraced(function* ({ workflow: { rules } }: ConfigEntry, judge: Judge, scope: Scope) {
  const always: Rule = {}
  const rule = rules === undefined ? always : yield* judge.firstRule(rules, scope)
  return rule?.when === "never" ? undefined : rule
})

const maxNameLength = 255

const nameOf = ({ workflow }: ConfigEntry, scope: Scope): Result.Result<string | null, ConfigInvalid> => {
  const name = scope.expand(workflow.name ?? "").trim()
  if (name.length <= maxNameLength) return Result.succeed(name === "" ? null : name)
  return Result.fail(invalid(`Failed to build pipeline metadata! Name is too long (maximum is ${maxNameLength} characters)`))
}
