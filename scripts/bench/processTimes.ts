import { readdirSync, readFileSync } from "node:fs"

/** The unit of `/proc`, in ticks a second. */
const ticksPerSecond = 100

/** The text of a file of `/proc`, read at once, because that is many times cheaper there; empty when there is none. */
export const procText = (path: string): string => {
  try {
    return readFileSync(`/proc/${path}`, "latin1")
  } catch {
    return ""
  }
}

/** What the system tells of a process; undefined when it is gone. `started` is in ticks since the system began. */
export const statOf = (pid: number) => {
  const text = procText(`${pid}/stat`)
  if (text === "") return undefined
  // The name before may hold anything.
  const [state = "", ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const numberAt = (place: number) => Number(fields[place - 1] ?? 0)
  const ticks = numberAt(11) + numberAt(12) + numberAt(13) + numberAt(14)
  const millis = (ticks * 1000) / ticksPerSecond
  return { parent: numberAt(1), millis, started: numberAt(19), hasEnded: state === "Z" || state === "X" }
}

/** The ids of all processes. */
export const processIds = (): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** The ids of the processes that the first thread of a process has started and that live. */
export const childrenOf = (pid: number): ReadonlyArray<number> =>
  procText(`${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number)

/** The process that started another one. */
export const parentOf = (pid: number): number => statOf(pid)?.parent ?? 0

/** Milliseconds of processor time that a process and all that it started have taken since their start, those that have ended included. */
export const processorTime = (pid: number): number => {
  const children = processIds().filter((id) => statOf(id)?.parent === pid)
  return (statOf(pid)?.millis ?? 0) + children.reduce((sum, id) => sum + processorTime(id), 0)
}
