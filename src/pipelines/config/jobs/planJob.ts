import { Effect } from "effect"
import { defined } from "../../../kernel/defined.ts"
import type { Budget } from "../Budget.ts"
import type { JobEntry } from "../entries/job.ts"
import type { NeedEntry } from "../entries/needs.ts"
import { noRetry } from "../entries/retry.ts"
import type { Rule } from "../entries/rules.ts"
import type { JobPlan, PlannedVariable } from "../plan.ts"
import { predefinedJobVariables } from "../predefined.ts"
import type { Judge } from "../rules/judge.ts"
import { knownVariables, type Scope, scopeOf, type VariableMap, variableMap } from "../scope.ts"
import { isTexts, measureOf, type Value, type ValueMap } from "../value.ts"
import type { DefinedJob, DefinedJobs } from "./definedJobs.ts"

/** What jobs are planned with. */
export interface Planning {
  readonly budget: Budget
  readonly judge: Judge
  readonly jobs: DefinedJobs
  /** Variables that overwrite those of the configuration, those of the whole configuration, and those that it may overwrite. */
  readonly overriding: VariableMap
  readonly global: VariableMap
  readonly predefined: VariableMap
}

/** A job that the rules want, before it is known which others they want. */
export interface WantedJob {
  readonly plan: Omit<JobPlan, "needs" | "definition">
  readonly handed: ValueMap
  readonly needs?: ReadonlyArray<NeedEntry>
  /** What is wrong with its variables. */
  readonly fault?: string
  /** Of what becomes part of its plan. */
  readonly weight: number
}

/** The plan of a job; undefined if the rules do not want it. */
export const planJob = Effect.fnUntraced(function* (job: DefinedJob, planning: Planning) {
  const { budget, judge, jobs, overriding, predefined } = planning
  const { entry } = job
  const own = variableMap([...entry.variables, ...job.variables])
  const global = inheritedOf(entry, planning)
  const predefinedOfJob = knownVariables(predefinedJobVariables({ ...job, stage: entry.stage }))
  const scope = scopeOf([overriding, own, global, predefinedOfJob, predefined], budget)
  const outcome = yield* judged(entry, judge, scope)
  if (outcome === undefined) return undefined
  const variables = [...variableMap([...global.values(), ...own.values(), ...(outcome.variables ?? [])]).values()]
  const needs = outcome.needs === undefined ? job.needs : jobs.needsOf(outcome.needs)
  const handed = handedOf(job)
  const circles = scope.circles()
  const wanted: WantedJob = defined({
    plan: planOf(job, { outcome, variables, scope }),
    handed,
    needs,
    fault: circles && `${job.name}: ${circles}`,
    weight: measureOf(handed).weight + weightOf(variables)
  })
  return wanted
})

const inheritedOf = ({ inheritedVariables: inherited }: JobEntry, { budget, global }: Planning): VariableMap => {
  if (inherited === true) return global
  if (inherited === false || !budget.spend(inherited.length)) return new Map()
  return variableMap(inherited.flatMap((key) => global.get(key) ?? []))
}

/** What the first rule that holds says; undefined for a job that is not wanted. */
const judged = Effect.fnUntraced(function* (entry: JobEntry, judge: Judge, scope: Scope) {
  const { except, only, rules } = entry
  if (rules !== undefined) {
    const rule = yield* judge.firstRule(rules, scope)
    return rule === undefined || rule.when === "never" ? undefined : rule
  }
  if (only !== undefined && !(yield* judge.allOf(only, scope))) return undefined
  if (except !== undefined && (yield* judge.anyOf(except, scope))) return undefined
  const always: Rule = {}
  return always
})

const handedOf = ({ dependencies, entry: { keywords } }: DefinedJob): ValueMap =>
  dependencies === undefined ? keywords.handed : new Map<string, Value>([...keywords.handed, ["dependencies", dependencies]])

const weightOf = (variables: ReadonlyArray<PlannedVariable>): number =>
  variables.reduce((sum, { key, value }) => sum + key.length + value.length + 40, 0)

interface Judged {
  readonly outcome: Rule
  readonly variables: ReadonlyArray<PlannedVariable>
  readonly scope: Scope
}

const planOf = (job: DefinedJob, { outcome, scope, variables }: Judged): WantedJob["plan"] => {
  const { entry, name, parallel } = job
  const { allowFailure, coverage, keywords, stage, when } = entry
  const tags = keywords.handed.get("tags")
  const mayFail = outcome.allowFailure ?? (isCodes(allowFailure) ? false : (allowFailure ?? when === "manual"))
  return defined({
    name,
    stage,
    when: outcome.when === undefined || outcome.when === "never" ? (when ?? "on_success") : outcome.when,
    allowFailure: mayFail,
    allowFailureExitCodes: outcome.allowFailure === undefined && isCodes(allowFailure) ? allowFailure : undefined,
    variables,
    retry: keywords.retry ?? noRetry,
    interruptible: outcome.interruptible ?? keywords.interruptible ?? false,
    parallel,
    coverage,
    tags: isTexts(tags) ? tags.map((tag) => scope.expand(tag, { keepsUnknown: true })) : []
  })
}

const isCodes = (allowFailure: JobEntry["allowFailure"]): allowFailure is ReadonlyArray<number> =>
  typeof allowFailure === "object"
