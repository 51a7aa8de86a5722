import { at, isBlank, isList, isMap, isTexts, type Value, type ValueMap } from "../value.ts"
import { attribute, hasOnly, isBoolean, isText, mapAt, textsOf } from "./checks.ts"
import { durationSeconds } from "./duration.ts"
import { type Place, within, wrong, wrongVerbatim } from "./place.ts"

const textFault = "should be a string"
const textsFault = "should be an array of strings"
const booleanFault = "should be a boolean value"

const oneOf = (...values: ReadonlyArray<string>) => {
  const isOne = (value: Value): value is string => isText(value) && values.includes(value)
  return [isOne, `should be one of: ${values.join(", ")}`] as const
}

const [isOutcome, outcomeFault] = oneOf("on_success", "on_failure", "always")
const [isAccess, accessFault] = oneOf("none", "developer", "maintainer", "all")

const artifactKeys = ["name", "untracked", "paths", "reports", "when", "expire_in", "expose_as", "exclude", "public", "access"]

/** The files of a job that are kept. */
export const checkArtifacts = (value: Value, place: Place): void => {
  const map = mapAt(value, place)
  if (map === undefined || !hasOnly(map, artifactKeys, place)) return
  if (map.has("access") && map.has("public")) wrong(place, "config these keys cannot be used together: public, access")
  for (const key of ["name", "expose_as"]) attribute(map, [key, isText, textFault], place)
  for (const key of ["public", "untracked"]) attribute(map, [key, isBoolean, booleanFault], place)
  for (const key of ["paths", "exclude"]) attribute(map, [key, isTexts, textsFault], place)
  attribute(map, ["when", isOutcome, outcomeFault], place)
  attribute(map, ["access", isAccess, accessFault], place)
  attribute(map, ["expire_in", isPeriod, "should be a duration"], place)
  attribute(map, ["reports", isMap, "should be a hash"], place)
}

const isPeriod = (value: Value): value is string =>
  isText(value) && (value.toLowerCase() === "never" || durationSeconds(value) !== undefined)

const maxCaches = 4
const cacheKeys = ["key", "untracked", "paths", "when", "policy", "unprotect", "fallback_keys"]

/** The files that jobs leave to one another: a map, or several. */
export const checkCaches = (value: Value, place: Place): void => {
  if (!isMap(value) && !isList(value)) wrong(place, "config can only be a hash or an array")
  else if (isList(value) && value.length > maxCaches) wrong(place, `config no more than ${maxCaches} caches can be created`)
  else for (const cache of isMap(value) ? [value] : value) checkCache(cache, within(place, "cache"))
}

const checkCache = (value: Value, place: Place): void => {
  const map = mapAt(value, place)
  if (map === undefined || !hasOnly(map, cacheKeys, place)) return
  for (const key of ["untracked", "unprotect"]) attribute(map, [key, isBoolean, booleanFault], place)
  for (const key of ["paths", "fallback_keys"]) attribute(map, [key, isTexts, textsFault], place)
  attribute(map, ["when", isOutcome, outcomeFault], place)
  attribute(map, ["policy", isCachePolicy, "should be a variable or one of: pull-push, push, pull"], place)
  checkKey(map, within(place, "key"))
}

const isCachePolicy = (value: Value): value is string => isText(value) && /^(?:pull-push|push|pull|\$\w+)$/.test(value)

const checkKey = (cache: ValueMap, place: Place): void => {
  const key = at(cache, "key")
  if (isText(key) && key.includes("/")) wrong(place, 'config cannot contain the "/" character')
  if (isText(key) && [".", ".."].includes(key)) wrong(place, 'config cannot be "." or ".."')
  if (key === null || isText(key)) return
  if (!isMap(key)) wrongVerbatim(place, "should be a hash, a string or a symbol")
  else if (hasOnly(key, ["files", "prefix"], place) && isBlank(key.get("files")))
    wrong(place, "config missing required keys: files")
}

const maxTags = 50

/** The tags of the executors that may run a job. */
export const readTags = (value: Value, place: Place): ReadonlyArray<string> => {
  const tags = isText(value) ? undefined : textsOf(value)
  if (tags === undefined) return wrong(place, "config should be an array of strings") ?? []
  return tags.length < maxTags ? tags : (wrong(place, `config must be less than the limit of ${maxTags} tags`) ?? [])
}

/** Seconds of 30 days. */
const maxTimeout = 2_592_000

export const checkTimeout = (value: Value, place: Place): void => {
  const seconds = isText(value) ? durationSeconds(value) : undefined
  if (seconds === undefined) wrong(place, "config should be a duration")
  else if (seconds > maxTimeout) wrong(place, "config should not exceed the limit")
}
