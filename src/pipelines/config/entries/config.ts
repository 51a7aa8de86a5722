import type { PlannedVariable } from "../plan.ts"
import { at, isBlank, isList, isMap, isTexts, measureOf, type Value, type ValueMap } from "../value.ts"
import { flattened, hasOnly, mapAt } from "./checks.ts"
import { type JobDefaults, type JobEntry, readJob } from "./job.ts"
import { inheritedKeywords, type Keywords, readKeywords, unsupportedDefaults } from "./keywords.ts"
import { type Place, type Reading, unsupported, within, wrong } from "./place.ts"
import { defaultOnly } from "./policy.ts"
import { globalVariableKeys, readVariables } from "./variables.ts"
import { readWorkflow, type Workflow } from "./workflow.ts"

/** A whole configuration, with everything in it that is no job read. */
export interface ConfigEntry {
  /** In their order, between `.pre` and `.post`. */
  readonly stages: ReadonlyArray<string>
  readonly variables: ReadonlyArray<PlannedVariable>
  readonly workflow: Workflow
  /** In the order of the configuration. */
  readonly jobs: ReadonlyArray<JobEntry>
}

/** Keywords that stand for the same ones of `default`. */
const globalKeywords = ["image", "services", "before_script", "after_script", "cache"]

const reserved = new Set(["include", "variables", "stages", ...globalKeywords])

/** Names that are jobs if they have a script. */
const ambiguous = ["default", "workflow"]

/** Reads a configuration whose includes, extensions and references are resolved. What is wrong is in the faults of the reading. */
export const readConfig = function* (config: ValueMap, reading: Reading): Generator<void, ConfigEntry, void> {
  const placeOf = (key: string): Place => ({ path: key, reading })
  const workflow = readWorkflow(settingOf(config, "workflow"), placeOf("workflow"))
  const defaults: JobDefaults = {
    keywords: readDefault(config, reading),
    only: workflow.rules === undefined ? defaultOnly : undefined
  }
  const variables = at(config, "variables")
  const stages = at(config, "stages")
  return {
    stages: stages === null ? withEdges(defaultStages) : readStages(stages, placeOf("stages")),
    variables: variables === null ? [] : readVariables(variables, globalVariableKeys, placeOf("variables")),
    workflow,
    jobs: yield* readJobs(config, defaults, placeOf("jobs"))
  }
}

/** A setting whose name a job may have too. */
const settingOf = (config: ValueMap, name: string): Value => {
  const value = at(config, name)
  return isScripted(value) ? null : value
}

const isScripted = (value: Value): boolean => isMap(value) && (value.has("script") || value.has("run"))

const defaultStages = ["build", "test", "deploy"]
const edges = [".pre", ".post"]

const withEdges = (stages: ReadonlyArray<string>): ReadonlyArray<string> => {
  const inner = new Set(stages.filter((stage) => !edges.includes(stage)))
  return [".pre", ...inner, ".post"]
}

const readStages = (value: Value, place: Place): ReadonlyArray<string> => {
  const stages = isList(value) ? flattened(value) : undefined
  if (!isTexts(stages)) {
    return wrong(place, "config should be an array of strings or a nested array of strings up to 10 levels deep") ?? []
  }
  return withEdges(stages.length === 0 ? defaultStages : stages)
}

const readDefault = (config: ValueMap, reading: Reading): Keywords => {
  const place: Place = { path: "default", reading }
  const value = settingOf(config, "default")
  const map = value === null ? new Map<string, Value>() : (mapAt(value, place) ?? new Map<string, Value>())
  for (const key of unsupportedDefaults) if (map.has(key)) unsupported(within(place, key))
  hasOnly(map, [...inheritedKeywords, ...unsupportedDefaults], place)
  const global = globalKeywords.flatMap((key) => {
    const setting = at(config, key)
    return setting === null ? [] : [[key, setting] as const]
  })
  for (const [key] of global) {
    if (map.has(key)) reading.faults.push(`${key} is defined in top-level and \`default:\` entry`)
  }
  const own = readKeywords(map, place)
  const globals = readKeywords(new Map(global), { path: "", reading })
  return { ...own, handed: new Map([...globals.handed, ...own.handed]) }
}

const jobsAtOnce = 20
/** Reading a few values is as quick as a step of other work. */
const weightAStep = 160

const isJob = (name: string, value: Value): boolean =>
  !name.startsWith(".") && !reserved.has(name) && (!ambiguous.includes(name) || isScripted(value))

const implementsJob = (value: Value): value is ValueMap =>
  isMap(value) && ["script", "run", "trigger"].some((key) => value.has(key))

const readJobs = function* (
  config: ValueMap,
  defaults: JobDefaults,
  place: Place
): Generator<void, ReadonlyArray<JobEntry>, void> {
  for (const [name, value] of config)
    if (name.startsWith(".") && isBlank(value)) wrong(within(place, name), "config can't be blank")
  const all = [...config].filter(([name, value]) => isJob(name, value))
  const visible = all.flatMap(([name, value]) => (implementsJob(value) ? [[name, value] as const] : []))
  for (const [name, value] of all) {
    if (!implementsJob(value)) wrong(place, `${name} config should implement the script:, run:, or trigger: keyword`)
  }
  if (visible.length === 0) wrong(place, "config should contain at least one visible job")
  const jobs: Array<JobEntry> = []
  if (visible.length < all.length) return jobs
  for (const [index, [name, value]] of visible.entries()) {
    if (!place.reading.budget.spend(Math.ceil(measureOf(value).weight / weightAStep))) return jobs
    const job = readJob(name, value, defaults, within(place, name))
    if (job !== undefined) jobs.push(job)
    if ((index + 1) % jobsAtOnce === 0) yield
  }
  return jobs
}
