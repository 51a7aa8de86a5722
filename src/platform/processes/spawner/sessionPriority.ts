import { readFileSync, writeFileSync } from "node:fs"

/** Of ten processor shares that the session and one connection of the database both want, the session takes about three. */
const ownNiceness = 3
/** As much as that of a process that somebody waits for. */
const startedNiceness = 10

/** The seventh field of `/proc/<pid>/stat`: 0 without a terminal. The name before may hold anything. */
const terminalOf = (stat: string): string | undefined => stat.slice(stat.lastIndexOf(")") + 2).split(" ")[4]

/**
 * Lowers the priority of the session of a process where Linux shares processors out by sessions: niceness counts only within one there. False
 * where it is to be tried again, because the system takes one such change in a tenth of a second.
 */
export const lowerSession = (id: number | "self", niceness: number): boolean => {
  try {
    writeFileSync(`/proc/${id}/autogroup`, String(niceness))
    return true
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "EAGAIN")
  }
}

/** The system counts its tenth of a second in ticks of up to 10 ms. */
const retryMillis = 110

/** Lets the service and the database go before the session of a process, in a moment where the system does not take the change at once. */
export const yieldToService = (id: number): void => {
  if (!lowerSession(id, startedNiceness)) setTimeout(() => yieldToService(id), retryMillis).unref()
}

/**
 * Lets the processes of the database go before this session where Linux shares processors out by sessions (`sched_autogroup_enabled`): each
 * connection of Postgres is a session of its own there, and while this service computes, an answer of a tenth of a millisecond would wait for its
 * turn. A session with a terminal is somebody's own, and left alone.
 */
export const yieldToDatabase = (): void => {
  try {
    if (terminalOf(readFileSync("/proc/self/stat", "latin1")) === "0") lowerSession("self", ownNiceness)
  } catch {
    // The system does not tell.
  }
}
