import { at, isList, isMap, isTexts, type Value, type ValueMap } from "../value.ts"
import { attribute, hasOnly, isText, textsOf } from "./checks.ts"
import { type Place, within, wrong } from "./place.ts"
import { readVariables } from "./variables.ts"

const imageKeys = ["docker", "kubernetes", "name", "entrypoint", "ports", "pull_policy"]
const serviceKeys = ["command", "alias", "variables", ...imageKeys]

const textsFault = "should be an array of strings"

/** A name, or a map with one. */
export const checkImage = (value: Value, place: Place): void => checkImageWith(value, imageKeys, place)

const checkImageWith = (value: Value, keys: ReadonlyArray<string>, place: Place): void => {
  const map = isText(value) ? new Map([["name", value]]) : value
  if (!isMap(map)) wrong(place, "config should be a hash or a string")
  else if (hasOnly(map, keys, place)) checkMap(map, place)
}

const checkMap = (map: ValueMap, place: Place): void => {
  if (map.has("ports")) wrong(place, "config contains disallowed keys: ports")
  const name = attribute(map, ["name", isText, "should be a string"], place)
  if (name === undefined || name.trim() === "") wrong(place, "name can't be blank")
  attribute(map, ["entrypoint", isTexts, textsFault], place)
  const policy = at(map, "pull_policy")
  if (policy !== null) checkPullPolicy(policy, within(place, "pull_policy"))
}

const checkPullPolicy = (value: Value, place: Place): void => {
  const policies = textsOf(value)
  if (policies === undefined) wrong(place, "config should be an array of strings or a string")
  const unknown = (policies ?? []).filter((policy) => !["always", "never", "if-not-present"].includes(policy))
  if (unknown.length === 0) return
  wrong(place, isText(value) ? "config is not included in the list" : `config contains unknown values: ${unknown.join(", ")}`)
}

/** Names and maps, as of images, with what the containers are to run. */
export const checkServices = (value: Value, place: Place): void => {
  if (!isList(value)) wrong(place, "config should be an array")
  else for (const service of value) checkService(service, within(place, "service"))
}

const checkService = (service: Value, place: Place): void => {
  checkImageWith(service, serviceKeys, place)
  if (!isMap(service)) return
  attribute(service, ["command", isTexts, textsFault], place)
  attribute(service, ["alias", isText, "should be a string"], place)
  const variables = at(service, "variables")
  if (variables !== null) readVariables(variables, [], within(place, "variables"))
}
