import { LRUCache } from "lru-cache"
import { dayMillis } from "../../kernel/units.ts"

const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"))
const threeDigits = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, "0"))

/** The texts of days: neighbouring times are mostly of few days. */
const days = new LRUCache<number, string>({ max: 4096 })

const dayText = (day: number): string => {
  const known = days.get(day)
  if (known !== undefined) return known
  const iso = new Date(day * dayMillis).toISOString()
  const text = iso.slice(0, iso.indexOf("T"))
  days.set(day, text)
  return text
}

/** Formats milliseconds since 1970 as `2024-01-02T03:04:05.678Z`; finer fractions are cut off. */
export const isoMillis = (millis: number): string => {
  const day = Math.floor(millis / dayMillis)
  const within = Math.floor(millis - day * dayMillis)
  const seconds = Math.floor(within / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return `${dayText(day)}T${twoDigits[hours]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${threeDigits[within % 1000]}Z`
}

/** The same of a time that may be null. */
export const nullableIsoMillis = (millis: number | null): string | null => (millis === null ? null : isoMillis(millis))

/** Formats milliseconds since 1970 as the day `YYYY-MM-DD` in UTC. */
export const isoDate = (millis: number): string => dayText(Math.floor(millis / dayMillis))
