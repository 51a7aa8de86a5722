import { isList, isTexts, type Value } from "../value.ts"
import { flattened, hasOnly, isText, mapAt } from "./checks.ts"
import { type Place, within, wrong } from "./place.ts"

/** The lines of a script: a text, or a list of texts and lists. */
export const readCommands = (value: Value, place: Place): ReadonlyArray<string> => {
  const lines = isText(value) ? [value] : isList(value) ? flattened(value) : undefined
  if (isTexts(lines)) return lines
  return wrong(place, "config should be a string or a nested array of strings up to 10 levels deep") ?? []
}

const beforeSources = "pre_get_sources_script"

/** Scripts that run around the work of an executor. */
export const readHooks = (value: Value, place: Place): Value => {
  const map = mapAt(value, place)
  const script = map?.get(beforeSources) ?? null
  if (map === undefined || !hasOnly(map, [beforeSources], place) || script === null) return new Map()
  return new Map([[beforeSources, readCommands(script, within(place, beforeSources))]])
}
