import { Context, Metric } from "effect"
import type { WorkClass } from "../work/CurrentWork.ts"
import type { ExceededLimit } from "./ProcessLimits.ts"

const running = Metric.gauge("chronoforge_processes", { description: "Processes that run, by class of work." })
const started = Metric.counter("chronoforge_processes_total", {
  description: "Processes that were started, or could not be: those have outcome failed.",
  incremental: true
})
const killed = Metric.counter("chronoforge_processes_killed_total", {
  description: "Processes that were ended because they exceeded a limit, memory or time.",
  incremental: true
})
const context = Context.empty()
const counts = new Map<WorkClass, number>()

const count = (workClass: WorkClass, difference: 0 | 1 | -1): void => {
  const sum = (counts.get(workClass) ?? 0) + difference
  counts.set(workClass, sum)
  Metric.withAttributes(running, { class: workClass }).updateUnsafe(sum, context)
}
for (const workClass of ["interactive", "transfer", "bulk", "background"] as const) count(workClass, 0)

export const countStart = (workClass: WorkClass, outcome: "started" | "failed"): void => {
  Metric.withAttributes(started, { class: workClass, outcome }).updateUnsafe(1, context)
  if (outcome === "started") count(workClass, 1)
}

export const countEnd = (workClass: WorkClass): void => count(workClass, -1)

export const countKilled = (workClass: WorkClass, limit: ExceededLimit): void =>
  Metric.withAttributes(killed, { class: workClass, limit }).updateUnsafe(1, context)
