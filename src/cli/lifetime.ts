import { Schema } from "effect"
import { dayMillis } from "../kernel/units.ts"

const unitDays = { d: 1, w: 7, y: 365 } as const

const pattern = /^([1-9]\d{0,3})([dwy])$/

/** A length of time such as `30d`, `12w` or `1y`. */
export const Lifetime = Schema.String.check(
  Schema.isPattern(pattern, { message: "a number with d (days), w (weeks) or y (years), such as 90d" })
)

/** The lifetime in milliseconds; 0 for a text that is no `Lifetime`. */
export const lifetimeMillis = (lifetime: string): number => {
  const [, count = "0", unit] = pattern.exec(lifetime) ?? []
  return unit === "d" || unit === "w" || unit === "y" ? Number(count) * unitDays[unit] * dayMillis : 0
}
