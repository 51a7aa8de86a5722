import type { Position } from "../eventStore/EventStore.ts"

/** What is wrong: one kind a check, so that at most one of each is reported. */
export type LogFaultKind = "link" | "position" | "time" | "end" | "head" | "seal" | "checkpoint"

/** The first place where the log is not as it was written. */
export interface LogFault {
  readonly kind: LogFaultKind
  /** The stream; null where the fault belongs to no single stream. */
  readonly stream: string | null
  readonly revision: number | null
  readonly position: Position
  readonly expected: string
  readonly found: string
}

const places: Readonly<Record<LogFaultKind, string>> = {
  link: "The chain is broken",
  position: "Events are missing or out of order",
  time: "Time goes back",
  end: "The end of the log is missing",
  head: "The log says that it ends too early",
  seal: "A seal does not hold",
  checkpoint: "A read model is ahead of the log"
}

/** A fault for people, several lines. */
export const describe = ({ expected, found, kind, position, revision, stream }: LogFault): string => {
  const place = stream === null ? `position ${position}` : `${stream}, revision ${revision}, position ${position}`
  return [`${places[kind]}: ${place}`, `  expected  ${expected}`, `  found     ${found}`].join("\n")
}
