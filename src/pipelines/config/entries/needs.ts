import { at, isList, isMap, type Value, type ValueMap } from "../value.ts"
import { attribute, flattened, hasOnly, isBoolean, isText } from "./checks.ts"
import { readMatrix } from "./parallel.ts"
import { type Place, unsupported, within, wrong, wrongVerbatim } from "./place.ts"

/** A job that another one waits for, by the name that it has in the configuration. */
export interface NeedEntry {
  readonly name: string
  readonly artifacts: boolean
  /** Whether it may be missing. */
  readonly optional: boolean
  /** The names of the parallel ones that are meant; absent for all of them. */
  readonly only?: ReadonlyArray<string>
}

export const readNeeds = (value: Value, place: Place): ReadonlyArray<NeedEntry> => {
  const needs = isMap(value) ? [value] : isList(value) ? (flattened(value) ?? []) : undefined
  if (needs === undefined) wrong(place, "config can only be a hash or an array")
  if (isMap(value) && value.size === 0) wrong(place, "config can not be an empty hash")
  return (needs ?? []).flatMap((need) => readNeed(need, within(place, "need")) ?? [])
}

const readNeed = (need: Value, place: Place): NeedEntry | undefined => {
  if (isText(need)) return need === "" ? wrong(place, "config can't be blank") : { name: need, artifacts: true, optional: false }
  if (!isMap(need)) return wrongVerbatim(place, "has an unsupported type")
  const foreign = ["project", "ref", "pipeline"].find((key) => need.has(key))
  if (foreign !== undefined) return unsupported(within(place, foreign))
  if (!need.has("job")) return wrongVerbatim(place, "has an unsupported type")
  return hasOnly(need, ["job", "artifacts", "optional", "parallel"], place) ? readJobNeed(need, place) : undefined
}

const readJobNeed = (need: ValueMap, place: Place): NeedEntry | undefined => {
  const name = attribute(need, ["job", isText, "should be a string"], place)
  if (name === undefined || name === "") return wrong(place, "job can't be blank")
  const artifacts = attribute(need, ["artifacts", isBoolean, "should be a boolean value"], place)
  const optional = attribute(need, ["optional", isBoolean, "should be a boolean value"], place)
  const parallel = at(need, "parallel")
  const matrix = parallel === null ? undefined : readMatrix(parallel, within(place, "parallel"))
  const only = matrix?.instances().map((one) => one.nameOf(name))
  return { name, artifacts: artifacts ?? true, optional: optional ?? false, ...(only && { only }) }
}
