import { at, type Value } from "../value.ts"
import { hasOnly, isText, mapAt } from "./checks.ts"
import { type Place, unsupported, within, wrong } from "./place.ts"
import { type Rule, readRules, workflowRules } from "./rules.ts"

/** What decides on pipelines as a whole. */
export interface Workflow {
  readonly name?: string
  readonly rules?: ReadonlyArray<Rule>
}

const maxNameLength = 255

export const readWorkflow = (value: Value, place: Place): Workflow => {
  const map = value === null ? undefined : mapAt(value, place)
  if (map === undefined || !hasOnly(map, ["rules", "name", "auto_cancel"], place)) return {}
  if (map.has("auto_cancel")) unsupported(within(place, "auto_cancel"))
  const name = at(map, "name")
  const rules = at(map, "rules")
  return {
    ...(name !== null && { name: nameOf(name, place) }),
    ...(rules !== null && { rules: readRules(rules, workflowRules, within(place, "rules")) })
  }
}

const nameOf = (value: Value, place: Place): string => {
  if (!isText(value)) return wrong(place, "name should be a string") ?? ""
  if (value.length > maxNameLength) wrong(place, `name is too long (maximum is ${maxNameLength} characters)`)
  return value
}
