import { readFileSync } from "node:fs"

const read = (path: string): string => {
  try {
    return readFileSync(path, "latin1")
  } catch {
    // The process has ended, or the system has no such files.
    return ""
  }
}

/** A process with all that it started, and the bytes of memory that each has written to. */
export interface Usage {
  readonly id: number
  readonly bytes: number
}

const bytesOf = (id: number): number => Number(/^RssAnon:\s+(\d+)/m.exec(read(`/proc/${id}/status`))?.[1] ?? 0) * 1024

/** What a process uses, and all that it started; nothing where the system does not tell. */
export const usageOf = (id: number): ReadonlyArray<Usage> => [
  { id, bytes: bytesOf(id) },
  ...read(`/proc/${id}/task/${id}/children`).split(" ").filter(Boolean).map(Number).flatMap(usageOf)
]
