import { defined } from "../../../kernel/defined.ts"
import { looksLikePattern } from "../expressions/patterns.ts"
import type { PlannedVariable, When } from "../plan.ts"
import { at, isBlank, isList, isMap, isTexts, type Value, type ValueMap } from "../value.ts"
import { flattened, hasOnly, isBoolean, isText, textsOf } from "./checks.ts"
import { type Inherit, type Inherited, inherits, readInherit } from "./inherit.ts"
import { inheritedKeywords, type Keywords, readKeywords, withDefaults } from "./keywords.ts"
import { type NeedEntry, readNeeds } from "./needs.ts"
import { type Parallel, readParallel } from "./parallel.ts"
import { type Place, unsupported, within, wrong, wrongVerbatim } from "./place.ts"
import { type Policy, readPolicy } from "./policy.ts"
import { codesOf } from "./retry.ts"
import { jobRules, type Rule, readRules } from "./rules.ts"
import { jobVariableKeys, readVariables } from "./variables.ts"

/** A job of the configuration, before rules decide. */
export interface JobEntry {
  readonly name: string
  readonly stage: string
  readonly keywords: Keywords
  readonly when?: When
  /** Whether others go on when it fails, or the exit codes with which they do. */
  readonly allowFailure?: boolean | ReadonlyArray<number>
  readonly rules?: ReadonlyArray<Rule>
  readonly only?: Policy
  readonly except?: Policy
  readonly needs?: ReadonlyArray<NeedEntry>
  readonly dependencies?: ReadonlyArray<string>
  readonly parallel?: Parallel
  readonly coverage?: string
  readonly variables: ReadonlyArray<PlannedVariable>
  readonly inheritedVariables: Inherited
}

/** What a job may say. */
export const supportedKeys: ReadonlyArray<string> = [
  ...inheritedKeywords,
  "script",
  "extends",
  "stage",
  "only",
  "except",
  "rules",
  "variables",
  "inherit",
  "allow_failure",
  "when",
  "needs",
  "dependencies",
  "coverage",
  "parallel",
  "start_in"
]

/** What the reference knows, and nobody here would honour. */
export const unsupportedKeys: ReadonlyArray<string> = [
  "environment",
  "release",
  "pages",
  "publish",
  "trigger",
  "resource_group",
  "id_tokens",
  "secrets",
  "identity",
  "manual_confirmation",
  "run",
  "dast_configuration"
]

/** What all jobs share. */
export interface JobDefaults {
  readonly keywords: Keywords
  /** Without rules, what counts for a job without `only`; undefined for nothing. */
  readonly only: Policy | undefined
}

export const readJob = (name: string, map: ValueMap, defaults: JobDefaults, place: Place): JobEntry | undefined => {
  const before = place.reading.faults.length
  checkKeys(name, map, place)
  checkValues(map, place)
  return place.reading.faults.length === before ? composed(name, map, defaults, place) : undefined
}

const maxNameLength = 255

const checkKeys = (name: string, map: ValueMap, place: Place): void => {
  for (const key of unsupportedKeys) if (map.has(key)) unsupported(within(place, key))
  hasOnly(map, [...supportedKeys, ...unsupportedKeys], place)
  if (isBlank(map.get("script")) && !map.has("run") && !map.has("trigger")) wrong(place, "script can't be blank")
  if (name === "") wrong(place, "name can't be blank")
  if (name.length > maxNameLength) wrong(place, `name is too long (maximum is ${maxNameLength} characters)`)
  const excluded = ["only", "except", "start_in"].filter((key) => at(map, key) !== null)
  const hasRules = at(map, "rules") !== null
  if (hasRules && excluded.length > 0) wrong(place, `config key may not be used with \`rules\`: ${excluded.join(", ")}`)
}

const whens = ["on_success", "on_failure", "always", "manual", "delayed"] as const

const isWhen = (value: Value): value is (typeof whens)[number] => whens.some((when) => when === value)

const areRules = (value: Value): boolean => isList(value) && (flattened(value)?.every(isMap) ?? false)

const checkValues = (map: ValueMap, place: Place): void => {
  const check = (key: string, fits: (value: Value) => boolean, fault: string): void => {
    const value = at(map, key)
    if (value !== null && !fits(value)) wrong(place, `${key.replaceAll("_", " ")} ${fault}`)
  }
  check("extends", (value) => textsOf(value) !== undefined, "should be an array of strings or a string")
  check("rules", areRules, "should be an array containing hashes and arrays of hashes")
  check("when", isWhen, `should be one of: ${whens.join(", ")}`)
  check("dependencies", isTexts, "should be an array of strings")
  check("allow_failure", (value) => isBoolean(value) || isMap(value), "should be a hash or a boolean value")
  if (map.get("when") === "delayed") wrongVerbatim(within(place, "when"), "delayed is not supported here")
  else if (!map.has("rules") && !isBlank(map.get("start_in"))) wrong(place, "start in must be blank")
}

const composed = (name: string, map: ValueMap, defaults: JobDefaults, place: Place): JobEntry => {
  const optional = <A>(key: string, read: (value: Value, place: Place) => A): A | undefined => {
    const value = at(map, key)
    return value === null ? undefined : read(value, within(place, key))
  }
  const inherit: Inherit = optional("inherit", readInherit) ?? { default: true, variables: true }
  const rules = optional("rules", (value, inner) => readRules(value, jobRules, inner))
  const needs = optional("needs", readNeeds)
  const dependencies = optional("dependencies", (value) => (isTexts(value) ? value : undefined))
  checkDependencies(dependencies, needs, place)
  return defined({
    name,
    stage: optional("stage", readStage) ?? "test",
    keywords: withDefaults(readKeywords(map, place), defaults.keywords, (keyword) => inherits(inherit.default, keyword)),
    when: whenOf(map),
    allowFailure: optional("allow_failure", readAllowFailure),
    rules,
    only: optional("only", readOnly) ?? (rules === undefined ? defaults.only : undefined),
    except: optional("except", readPolicy),
    needs,
    dependencies,
    parallel: optional("parallel", readParallel),
    coverage: optional("coverage", readCoverage),
    variables: optional("variables", (value, inner) => readVariables(value, jobVariableKeys, inner)) ?? [],
    inheritedVariables: inherit.variables
  })
}

const readStage = (value: Value, place: Place): string | undefined =>
  isText(value) ? value : wrong(place, "config should be a string")

const whenOf = (map: ValueMap): When | undefined => {
  const value = at(map, "when")
  return isWhen(value) && value !== "delayed" ? value : undefined
}

/** Refs count as they do by default where only something else is said. */
const readOnly = (value: Value, place: Place): Policy => ({ refs: ["branches", "tags"], ...readPolicy(value, place) })

const readAllowFailure = (value: Value, place: Place): boolean | ReadonlyArray<number> => {
  if (!isMap(value)) return value === true
  if (!hasOnly(value, ["exit_codes"], place)) return false
  const codes = codesOf(value.get("exit_codes") ?? [], place, "exit codes")
  return codes.length > 0 && codes
}

const readCoverage = (value: Value, place: Place): string | undefined => {
  const isPattern = isText(value) && looksLikePattern(value) && place.reading.patterns.compile(value) !== undefined
  return isPattern ? value : wrong(place, "config must be a regular expression with re2 syntax")
}

const checkDependencies = (
  dependencies: ReadonlyArray<string> = [],
  needs: ReadonlyArray<NeedEntry> = [],
  place: Place
): void => {
  const needed = new Set(needs.map(({ name }) => name))
  const missing = needs.length === 0 ? [] : dependencies.filter((name) => !needed.has(name))
  if (missing.length > 0) wrong(place, `dependencies the ${missing.join(", ")} should be part of needs`)
}
