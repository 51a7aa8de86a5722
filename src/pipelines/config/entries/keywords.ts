import { defined } from "../../../kernel/defined.ts"
import type { Retry } from "../plan.ts"
import { at, type Value, type ValueMap } from "../value.ts"
import { booleanAt } from "./checks.ts"
import { checkArtifacts, checkCaches, checkTimeout, readTags } from "./execution.ts"
import { checkImage, checkServices } from "./images.ts"
import { type Place, within } from "./place.ts"
import { readRetry } from "./retry.ts"
import { readCommands, readHooks } from "./scripts.ts"

/** What jobs may say themselves, or inherit. */
export interface Keywords {
  /** What executors are handed, by its name. */
  readonly handed: ValueMap
  readonly retry?: Retry
  readonly interruptible?: boolean
}

type Read = (value: Value, place: Place) => Value

const checked =
  (check: (value: Value, place: Place) => void): Read =>
  (value, place) => {
    check(value, place)
    return value
  }

/** In the order in which executors are handed them. */
const handedKeywords: Readonly<Record<string, Read>> = {
  image: checked(checkImage),
  services: checked(checkServices),
  hooks: readHooks,
  before_script: readCommands,
  script: readCommands,
  after_script: readCommands,
  cache: checked(checkCaches),
  artifacts: checked(checkArtifacts),
  timeout: checked(checkTimeout),
  tags: readTags
}

/** What `default` may say. */
export const inheritedKeywords: ReadonlyArray<string> = [
  ...Object.keys(handedKeywords).filter((keyword) => keyword !== "script"),
  "retry",
  "interruptible"
]

/** What `default` may say too, and this service does not know. */
export const unsupportedDefaults: ReadonlyArray<string> = ["id_tokens"]

export const readKeywords = (map: ValueMap, place: Place): Keywords => {
  const valueAt = (keyword: string): Value => at(map, keyword)
  const handed = Object.entries(handedKeywords).flatMap(([keyword, read]) => {
    const value = valueAt(keyword)
    return value === null ? [] : [[keyword, read(value, within(place, keyword))] as const]
  })
  const retry = valueAt("retry")
  const interruptible = valueAt("interruptible")
  const isInterruptible = interruptible === null ? undefined : booleanAt(interruptible, within(place, "interruptible"))
  return {
    handed: new Map(handed),
    ...defined({ retry: retry === null ? undefined : readRetry(retry, place), interruptible: isInterruptible })
  }
}

/** The keywords of a job with those that it inherits. */
export const withDefaults = (own: Keywords, defaults: Keywords, inherits: (keyword: string) => boolean): Keywords => {
  const inherited = [...defaults.handed].filter(([keyword]) => inherits(keyword))
  const present = new Map([...inherited, ...own.handed])
  const ordered = Object.keys(handedKeywords).flatMap((keyword) => {
    const value = present.get(keyword)
    return value === undefined ? [] : [[keyword, value] as const]
  })
  return {
    ...(inherits("retry") && defaults.retry && { retry: defaults.retry }),
    ...(inherits("interruptible") && defaults.interruptible !== undefined && { interruptible: defaults.interruptible }),
    ...own,
    handed: new Map(ordered)
  }
}
