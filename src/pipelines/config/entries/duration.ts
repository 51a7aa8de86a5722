/** Seconds of each unit. */
const units: ReadonlyMap<string, number> = new Map(
  (
    [
      [1, "s sec secs second seconds"],
      [60, "m min mins minute minutes"],
      [3_600, "h hr hrs hour hours"],
      [86_400, "d dy day days"],
      [604_800, "w wk wks week weeks"],
      [2_592_000, "mo mon mos month months"],
      [31_557_600, "y yr yrs year years"]
    ] as const
  ).flatMap(([seconds, names]) => names.split(" ").map((name) => [name, seconds] as const))
)

const part = /^(\d+(?:\.\d+)?)\s*([a-z]*)[\s,]*(?:and\b[\s,]*)?/

const maxLength = 255

/** The seconds of a duration such as `1h 30m`, `2 days and 4 hours`, `3600` or `1:30:00`; undefined for anything else. */
export const durationSeconds = (text: string): number | undefined => {
  if (text.length > maxLength) return undefined
  const lower = text.trim().toLowerCase()
  if (/^\d+(?::\d\d?){1,2}$/.test(lower)) return lower.split(":").reduce((sum, number) => sum * 60 + Number(number), 0)
  let rest = lower
  let seconds = 0
  while (rest !== "") {
    const [matched = "", number = "", name = ""] = part.exec(rest) ?? []
    const unit = name === "" ? 1 : units.get(name)
    if (matched === "" || unit === undefined) return undefined
    seconds += Number(number) * unit
    rest = rest.slice(matched.length)
  }
  return seconds > 0 ? Math.round(seconds) : undefined
}
