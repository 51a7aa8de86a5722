import { readFile } from "node:fs/promises"
import { Effect } from "effect"

/** What systems that do not tell it allow at least. */
const fallback = 1_024

/** How many files, pipes and connections this process may have open at once. Node raises its own limit to the highest at its start. */
export const maxOpenFiles: Effect.Effect<number> = Effect.promise(async () => {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "")
  const [, limit] = /^Max open files +(\d+)/m.exec(limits) ?? []
  return limit === undefined ? fallback : Number(limit)
})
