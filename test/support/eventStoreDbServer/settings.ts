import type { StoredEvent } from "./serverLog.ts"

/** What the last event of `$$name` says about stream `name`, as far as it hides events by their number. */
export interface Settings {
  readonly $maxCount?: number
  readonly $tb?: number
}

const numberIn = (settings: object, name: string): number | undefined => {
  const value: unknown = Reflect.get(settings, name)
  return typeof value === "number" ? value : undefined
}

export const settingsOf = (event: StoredEvent | undefined): Settings => {
  const settings: unknown = JSON.parse(new TextDecoder().decode(event?.data) || "{}")
  if (typeof settings !== "object" || settings === null) return {}
  const [$maxCount, $tb] = [numberIn(settings, "$maxCount"), numberIn(settings, "$tb")]
  return { ...($maxCount !== undefined && { $maxCount }), ...($tb !== undefined && { $tb }) }
}

/** Deleting sets the greatest number there is, 2^63 - 1, which is 2^63 once it was read here. */
export const isSoftlyDeleted = (before: number | undefined): boolean => before !== undefined && before >= 2 ** 63
