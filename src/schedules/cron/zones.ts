import { withoutBlanks } from "./blanks.ts"
import { friendlyZoneNames } from "./friendlyZoneNames.ts"
import { zoneNames } from "./zoneNames.ts"

/** What a local clock follows: the rules of a place, by its name in the tz database, or one offset for all times. */
export type Zone = { readonly _tag: "Named"; readonly name: string } | { readonly _tag: "Fixed"; readonly offsetMillis: number }

const named = (name: string): Zone => ({ _tag: "Named", name })

const fixed = /^([+-])(\d\d):?(00|15|30|45)$/

/** Gap: the reference names no bounds; clocks on Earth are nowhere further from UTC. */
const [maxBehindMinutes, maxAheadMinutes] = [12 * 60, 14 * 60]

const fixedOffset = (text: string): Zone | undefined => {
  const [, sign, hours, minutes] = fixed.exec(text) ?? []
  const size = Number(hours) * 60 + Number(minutes)
  if (sign === undefined || size > (sign === "-" ? maxBehindMinutes : maxAheadMinutes)) return undefined
  return { _tag: "Fixed", offsetMillis: (sign === "-" && size > 0 ? -size : size) * 60_000 }
}

/**
 * The zone that a text means, or undefined: a friendly name, a name of the tz database, or an offset such as `+09:00` or `-0330`. Upper and lower case count. Blanks around the last two are nothing; around a friendly name they make it unknown.
 */
export const zoneOf = (text: string): Zone | undefined => {
  const friendly = friendlyZoneNames.get(text)
  if (friendly !== undefined) return named(friendly)
  const bare = withoutBlanks(text)
  return zoneNames.has(bare) ? named(bare) : fixedOffset(bare)
}
