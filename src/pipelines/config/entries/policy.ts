import type { Expression } from "../expressions/expression.ts"
import { looksLikePattern } from "../expressions/patterns.ts"
import { isBlank, isList, isMap, isTexts, type Value, type ValueMap } from "../value.ts"
import { attribute, hasOnly } from "./checks.ts"
import { type Place, unsupported, within, wrong, wrongVerbatim } from "./place.ts"

/** What `only` or `except` say. What is absent does not matter. */
export interface Policy {
  /** Names and patterns of refs, and kinds of pipelines. */
  readonly refs?: ReadonlyArray<string>
  readonly variables?: ReadonlyArray<Expression>
  readonly changes?: ReadonlyArray<string>
}

/** What counts for a job that says nothing else. */
export const defaultOnly: Policy = { refs: ["branches", "tags"] }

const refsFault = "should be an array of strings or regular expressions using re2 syntax"

export const readPolicy = (value: Value, place: Place): Policy => {
  if (isList(value)) return areRefs(value, place) ? { refs: value } : (wrong(place, `config ${refsFault}`) ?? {})
  if (isMap(value)) return readMap(value, place)
  wrongVerbatim(place, "has to be either an array of conditions or a hash")
  return {}
}

const areRefs = (value: Value, { reading }: Place): value is ReadonlyArray<string> =>
  isTexts(value) && value.every((ref) => !looksLikePattern(ref) || reading.patterns.compile(ref) !== undefined)

const readMap = (map: ValueMap, place: Place): Policy => {
  if (isBlank(map)) wrong(place, "config can't be blank")
  if (!hasOnly(map, ["refs", "kubernetes", "variables", "changes"], place)) return {}
  if (!isBlank(map.get("kubernetes"))) unsupported(within(place, "kubernetes"))
  const refs = attribute(map, ["refs", (value): value is ReadonlyArray<string> => areRefs(value, place), refsFault], place)
  const variables = attribute(map, ["variables", isTexts, "should be an array of strings"], place)
  const changes = attribute(map, ["changes", isTexts, "should be an array of strings"], place)
  const expressions = variables?.map((text) => place.reading.expression(text))
  const known = expressions?.flatMap((expression) => expression ?? [])
  if (known?.length !== expressions?.length) wrong(place, "variables invalid expression syntax")
  return { ...(refs && { refs }), ...(known && { variables: known }), ...(changes && { changes }) }
}
