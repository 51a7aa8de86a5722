import { isList, isTexts, type Value } from "../value.ts"
import { hasOnly, isBoolean, mapAt, textsAt } from "./checks.ts"
import { inheritedKeywords } from "./keywords.ts"
import { type Place, within, wrong, wrongVerbatim } from "./place.ts"

/** Which of what is said for all jobs one has too: all, nothing, or what has one of these names. */
export type Inherited = boolean | ReadonlyArray<string>

export interface Inherit {
  readonly default: Inherited
  readonly variables: Inherited
}

const all: Inherit = { default: true, variables: true }

export const inherits = (inherited: Inherited, name: string): boolean =>
  typeof inherited === "boolean" ? inherited : inherited.includes(name)

export const readInherit = (value: Value, place: Place): Inherit => {
  const map = mapAt(value, place)
  if (map === undefined || !hasOnly(map, ["default", "variables"], place)) return all
  return {
    default: checkedDefault(inheritedOf(map.get("default") ?? true, within(place, "default")), within(place, "default")),
    variables: inheritedOf(map.get("variables") ?? true, within(place, "variables"))
  }
}

const inheritedOf = (value: Value, place: Place): Inherited => {
  if (isBoolean(value)) return value
  if (isList(value)) return textsAt(value, place) ?? true
  return wrongVerbatim(place, "should be a bool or array of strings") ?? true
}

const checkedDefault = (inherited: Inherited, place: Place): Inherited => {
  const unknown = isTexts(inherited) ? inherited.filter((name) => !inheritedKeywords.includes(name)) : []
  if (unknown.length > 0) wrong(place, `config contains unknown values: ${unknown.join(", ")}`)
  return inherited
}
