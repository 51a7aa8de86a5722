import { readdir, readFile } from "node:fs/promises"

/** The unit of `/proc`, in ticks a second. */
const ticksPerSecond = 100

/** What the system tells of a process; undefined when it is gone. `started` is in ticks since the system began. */
export const statOf = async (pid: number) => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined)
  if (text === undefined) return undefined
  // The name before may hold anything.
  const [state = "", ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const numberAt = (place: number) => Number(fields[place - 1] ?? 0)
  const ticks = numberAt(11) + numberAt(12) + numberAt(13) + numberAt(14)
  const millis = (ticks * 1000) / ticksPerSecond
  return { parent: numberAt(1), millis, started: numberAt(19), hasEnded: state === "Z" || state === "X" }
}

/** The ids of all processes. */
export const processIds = async (): Promise<ReadonlyArray<number>> =>
  (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number)

/** The process that started another one. */
export const parentOf = async (pid: number): Promise<number> => (await statOf(pid))?.parent ?? 0

/** Milliseconds of processor time that a process and its children have taken since their start, those that have ended included. */
export const processorTime = async (pid: number): Promise<number> => {
  const all = await Promise.all((await processIds()).map(statOf))
  const children = all.filter((stat) => stat?.parent === pid)
  return [await statOf(pid), ...children].reduce((sum, stat) => sum + (stat?.millis ?? 0), 0)
}
