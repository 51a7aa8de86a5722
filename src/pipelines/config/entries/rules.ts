import { defined } from "../../../kernel/defined.ts"
import type { Expression } from "../expressions/expression.ts"
import { maxGlobs } from "../limits.ts"
import type { PlannedVariable, When } from "../plan.ts"
import { at, isBlank, isList, isMap, isTexts, type Value, type ValueMap } from "../value.ts"
import { attribute, flattened, hasOnly, isBoolean, isText } from "./checks.ts"
import { type NeedEntry, readNeeds } from "./needs.ts"
import { type Place, unsupported, within, wrong, wrongVerbatim } from "./place.ts"
import { readVariables } from "./variables.ts"

/** A rule counts if all its conditions hold; the first one that does decides. */
export interface Rule {
  readonly if?: Expression
  /** Patterns of paths. */
  readonly changes?: ReadonlyArray<string>
  readonly exists?: ReadonlyArray<string>
  readonly when?: When | "never"
  readonly allowFailure?: boolean
  readonly interruptible?: boolean
  readonly variables?: ReadonlyArray<PlannedVariable>
  readonly needs?: ReadonlyArray<NeedEntry>
}

/** What rules of one kind may say. */
export interface RuleKind {
  readonly keys: ReadonlyArray<string>
  readonly whens: ReadonlyArray<string>
  readonly maxExists: number
}

const conditions = ["if", "changes", "exists", "when"]

export const jobRules: RuleKind = {
  keys: [...conditions, "start_in", "allow_failure", "variables", "needs", "interruptible"],
  whens: ["on_success", "on_failure", "always", "never", "manual", "delayed"],
  maxExists: maxGlobs
}

export const workflowRules: RuleKind = {
  keys: [...conditions, "start_in", "allow_failure", "variables", "needs", "auto_cancel"],
  whens: ["always", "never"],
  maxExists: maxGlobs
}

export const includeRules: RuleKind = { keys: conditions, whens: ["always", "never"], maxExists: Number.POSITIVE_INFINITY }

export const readRules = (value: Value, kind: RuleKind, place: Place): ReadonlyArray<Rule> => {
  if (isBlank(value)) wrong(place, "config can't be blank")
  const rules = isList(value) ? flattened(value) : undefined
  if (rules === undefined) wrong(place, "config should be an array")
  return (rules ?? []).flatMap((rule) => readRule(rule, kind, within(place, "rule")) ?? [])
}

const readRule = (rule: Value, kind: RuleKind, place: Place): Rule | undefined => {
  if (isBlank(rule)) return wrong(place, "config can't be blank")
  if (!isMap(rule)) return wrong(place, "config should be a hash")
  if (!hasOnly(rule, kind.keys, place)) return undefined
  if (rule.has("auto_cancel")) unsupported(within(place, "auto_cancel"))
  return defined({
    if: ifOf(rule, place),
    changes: optional(rule, "changes", changesOf, place),
    exists: optional(rule, "exists", (value, inner) => existsOf(value, kind.maxExists, inner), place),
    when: whenOf(rule, kind, place),
    allowFailure: attribute(rule, ["allow_failure", isBoolean, "should be a boolean value"], place),
    interruptible: attribute(rule, ["interruptible", isBoolean, "should be a boolean value"], place),
    variables: optional(rule, "variables", (value, inner) => readVariables(value, [], inner), place),
    needs: optional(rule, "needs", readNeeds, place)
  })
}

const optional = <A>(rule: ValueMap, key: string, read: (value: Value, place: Place) => A, place: Place): A | undefined => {
  const value = at(rule, key)
  return value === null ? undefined : read(value, within(place, key))
}

const ifOf = (rule: ValueMap, place: Place): Expression | undefined => {
  const value = at(rule, "if")
  if (value === null) return undefined
  const expression = isText(value) ? place.reading.expression(value) : undefined
  return expression ?? wrong(place, "if invalid expression syntax")
}

const whens: ReadonlyArray<When | "never"> = ["on_success", "on_failure", "always", "manual", "never"]

const whenOf = (rule: ValueMap, kind: RuleKind, place: Place): When | "never" | undefined => {
  const value = at(rule, "when")
  if (value === "delayed" && kind.whens.includes(value))
    return wrongVerbatim(within(place, "when"), "delayed is not supported here")
  if (rule.has("start_in")) wrong(place, "config contains disallowed keys: start_in")
  if (value === null) return undefined
  const when = whens.find((one) => one === value)
  return when !== undefined && kind.whens.includes(when) ? when : wrong(place, `when unknown value: ${inspectedValue(value)}`)
}

const inspectedValue = (value: Value): string => (typeof value === "object" ? "no text" : String(value))

const changesOf = (value: Value, place: Place): ReadonlyArray<string> => {
  if (isList(value)) return globsOf(value, "config", maxGlobs, place)
  if (!isMap(value)) return wrongVerbatim(place, "should be an array or a hash") ?? []
  if (!hasOnly(value, ["paths", "compare_to"], place)) return []
  if (value.has("compare_to")) unsupported(within(place, "compare_to"))
  return pathsOf(value, place)
}

const existsOf = (value: Value, maxCount: number, place: Place): ReadonlyArray<string> => {
  if (isText(value)) return [value]
  if (isList(value)) return globsOf(value, "config", maxCount, place)
  if (!isMap(value)) return wrongVerbatim(place, "should be a string, an array of strings, or a hash") ?? []
  if (!hasOnly(value, ["paths", "project", "ref"], place)) return []
  for (const key of ["project", "ref"]) if (value.has(key)) unsupported(within(place, key))
  return pathsOf(value, place)
}

const pathsOf = (map: ValueMap, place: Place): ReadonlyArray<string> => {
  const paths = map.get("paths")
  if (paths === undefined) return wrong(place, "config missing required keys: paths") ?? []
  return globsOf(paths, "paths", maxGlobs, place)
}

const globsOf = (value: Value, name: string, maxCount: number, place: Place): ReadonlyArray<string> => {
  if (!isTexts(value)) return wrong(place, `${name} should be an array of strings`) ?? []
  return value.length > maxCount ? (wrong(place, `${name} has too many entries (maximum ${maxCount})`) ?? []) : value
}
