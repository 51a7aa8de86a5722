import { readdir, readFile } from "node:fs/promises"

/** The unit of `/proc`, in ticks a second. */
const ticksPerSecond = 100

/** What the system tells of a process; undefined when it is gone. */
const statOf = async (pid: number | string) => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined)
  if (text === undefined) return undefined
  // The name before may hold anything.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number)
  const [own = 0, ended = 0] = [(fields[11] ?? 0) + (fields[12] ?? 0), (fields[13] ?? 0) + (fields[14] ?? 0)]
  return { parent: fields[1] ?? 0, millis: ((own + ended) * 1000) / ticksPerSecond }
}

/** The process that started another one. */
export const parentOf = async (pid: number): Promise<number> => (await statOf(pid))?.parent ?? 0

/** Milliseconds of processor time that a process and its children have taken since their start, those that have ended included. */
export const processorTime = async (pid: number): Promise<number> => {
  const all = await Promise.all((await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(statOf))
  const children = all.filter((stat) => stat?.parent === pid)
  return [await statOf(pid), ...children].reduce((sum, stat) => sum + (stat?.millis ?? 0), 0)
}
