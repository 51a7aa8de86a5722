import { Schema } from "effect"

/** The statuses of jobs and pipelines. Storage format: add, never rename. */
export const Status = Schema.Literals([
  "created",
  "waiting_for_resource",
  "preparing",
  "pending",
  "running",
  "success",
  "failed",
  "canceling",
  "canceled",
  "skipped",
  "manual",
  "scheduled"
])
export type Status = typeof Status.Type

export const statuses: ReadonlyArray<Status> = Status.literals

export const isStatus = (text: string): text is Status => statuses.some((status) => status === text)

/** Those of which nothing more comes. */
export const finishedStatuses = ["success", "failed", "canceled", "skipped"] as const satisfies ReadonlyArray<Status>

export const isFinished = (status: Status): boolean => finishedStatuses.some((finished) => finished === status)

/** Those that end with a time at which they ended. */
export const isCompleted = (status: Status): boolean => status !== "skipped" && isFinished(status)

/** Whether a job that has ended so may be run again. */
export const isRetryable = (status: Status): boolean => isCompleted(status)

/** Those of jobs that are under way, or will be. */
export const openStatuses = [
  "created",
  "waiting_for_resource",
  "preparing",
  "pending",
  "running",
  "scheduled"
] as const satisfies ReadonlyArray<Status>

/** Whether a job may be canceled. */
export const isOpen = (status: Status): boolean => openStatuses.some((open) => open === status)

const waiting = ["created", "waiting_for_resource", "preparing"] as const satisfies ReadonlyArray<Status>

/** The ways from one status of a job to another, with the name that the reference gives them. */
const moves = {
  pending: { name: "enqueue", from: [...waiting, "skipped", "manual", "scheduled"] },
  running: { name: "run", from: [...waiting, "pending"] },
  success: { name: "success", from: [...waiting, "pending", "running"] },
  failed: { name: "drop", from: [...waiting, "pending", "running", "manual", "scheduled"] },
  canceled: { name: "cancel", from: [...waiting, "pending", "running", "manual", "scheduled"] },
  skipped: { name: "skip", from: [...waiting, "pending"] }
} as const satisfies Partial<Record<Status, { readonly name: string; readonly from: ReadonlyArray<Status> }>>

/** The statuses that somebody may give to a job. */
export type TargetStatus = keyof typeof moves

export const targetStatuses = [
  "pending",
  "running",
  "success",
  "failed",
  "canceled",
  "skipped"
] as const satisfies ReadonlyArray<TargetStatus>

/** The name of the way to a status. */
export const moveTo = (status: TargetStatus): string => moves[status].name

export const mayMove = (from: Status, to: TargetStatus): boolean => {
  const { from: sources }: { readonly from: ReadonlyArray<Status> } = moves[to]
  return sources.includes(from)
}

/** What the status of several jobs follows from. */
export interface StatusPart {
  readonly status: Status
  /** Whether the others go on when it fails. */
  readonly allowFailure: boolean
}

type Word = Status | "success_with_warnings" | "ignored"

const wordOf = ({ allowFailure, status }: StatusPart): Word => {
  if (!allowFailure) return status
  if (status === "failed" || status === "canceled") return "success_with_warnings"
  return status === "manual" ? "ignored" : status
}

/** The status where all parts have one of these words; the first that fits counts. */
const whereAll: ReadonlyArray<readonly [Status, ReadonlyArray<Word>]> = [
  ["skipped", ["skipped", "ignored"]],
  ["success", ["success", "skipped", "success_with_warnings", "ignored"]],
  ["created", ["created", "success_with_warnings", "ignored"]],
  ["preparing", ["preparing", "success_with_warnings", "ignored"]],
  ["canceled", ["canceled", "success", "skipped", "success_with_warnings", "ignored"]],
  ["pending", ["pending", "created", "skipped", "success_with_warnings", "ignored"]]
]

/** The status where any part has one of these words, if no other fits; the first that fits counts. */
const whereAny: ReadonlyArray<readonly [Status, ReadonlyArray<Word>]> = [
  ["canceling", ["canceling"]],
  ["running", ["running", "pending"]],
  ["waiting_for_resource", ["waiting_for_resource"]],
  ["manual", ["manual"]],
  ["scheduled", ["scheduled"]],
  ["preparing", ["preparing"]],
  ["running", ["created"]]
]

/** The status of the jobs that another one needs: it does not begin where one of them did not run, and waits for all. */
export const statusOfNeeds = (parts: ReadonlyArray<StatusPart>): Status => {
  if (parts.length === 0) return "success"
  if (parts.map(wordOf).some((word) => word === "skipped" || word === "ignored")) return "skipped"
  return parts.every(({ status }) => isFinished(status)) ? statusOfAll(parts) : "pending"
}

/** The status of several jobs together; `created` where there are none. */
export const statusOfAll = (parts: Iterable<StatusPart>): Status => {
  const words = new Set(Array.from(parts, wordOf))
  if (words.size === 0) return "created"
  const ofAll = whereAll.find(([, among]) => [...words].every((word) => among.includes(word)))
  const found = ofAll ?? whereAny.find(([, among]) => among.some((word) => words.has(word)))
  return found?.[0] ?? "failed"
}
