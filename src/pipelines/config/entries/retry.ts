import type { Retry } from "../plan.ts"
import { at, isList, isMap, isTexts, type Value, type ValueMap } from "../value.ts"
import { hasOnly, isInteger, textsOf } from "./checks.ts"
import { type Place, wrong } from "./place.ts"

export const noRetry: Retry = { max: 0, when: ["always"], exitCodes: [] }

const maxRetries = 2

/** The failures that the reference knows, and `always` for all of them. */
const failures: ReadonlyArray<string> = [
  "unknown_failure",
  "script_failure",
  "api_failure",
  "stuck_or_timeout_failure",
  "runner_system_failure",
  "missing_dependency_failure",
  "runner_unsupported",
  "stale_schedule",
  "job_execution_timeout",
  "archived_failure",
  "unmet_prerequisites",
  "scheduler_failure",
  "data_integrity_failure",
  "always"
]

/** A number of times, or a map of it and the failures that count. The reference does not say at which job it is wrong. */
export const readRetry = (value: Value, { reading }: Place): Retry => {
  const place = { path: "retry", reading }
  if (isInteger(value)) return { ...noRetry, max: maxOf(value, "config", place) }
  if (isMap(value)) return hasOnly(value, ["max", "when", "exit_codes"], place) ? readMap(value, place) : noRetry
  wrong({ path: "retry config", reading }, "has to be either an integer or a hash")
  return noRetry
}

const maxOf = (value: Value, name: string, place: Place): number => {
  if (!isInteger(value)) wrong(place, `${name} ${typeof value === "number" ? "must be an integer" : "is not a number"}`)
  else if (value < 0) wrong(place, `${name} must be greater than or equal to 0`)
  else if (value > maxRetries) wrong(place, `${name} must be less than or equal to ${maxRetries}`)
  return isInteger(value) ? value : 0
}

const readMap = (map: ValueMap, place: Place): Retry => {
  const exitCodes = codesOf(map.get("exit_codes") ?? [], place, "exit codes")
  const conditions = whenOf(map.get("when") ?? [], place)
  const max = at(map, "max")
  return {
    max: max === null ? 0 : maxOf(max, "max", place),
    when: conditions.length === 0 && exitCodes.length === 0 ? noRetry.when : conditions,
    exitCodes
  }
}

const whenOf = (value: Value, place: Place): ReadonlyArray<string> => {
  const when = textsOf(value)
  if (when === undefined) wrong(place, "when should be an array of strings or a string")
  const unknown = (when ?? []).filter((failure) => !failures.includes(failure))
  if (unknown.length === 0) return when ?? []
  wrong(place, isTexts(value) ? `when contains unknown values: ${unknown.join(", ")}` : "when is not included in the list")
  return []
}

/** One code of exit, or several. */
export const codesOf = (value: Value, place: Place, name: string): ReadonlyArray<number> => {
  const codes = isList(value) ? value : [value]
  if (codes.every(isInteger)) return codes
  wrong(place, `${name} should be an array of integers or an integer`)
  return []
}
