import { readdirSync, readFileSync } from "node:fs"

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Command lines of the running processes that name this text, the caller's own left out. */
export const processesNaming = (text: string): ReadonlyArray<string> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => read(`/proc/${name}/cmdline`).replaceAll("\0", " "))
    .filter((line) => line.includes(text))
