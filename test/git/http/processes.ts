import { readdirSync, readFileSync, readlinkSync } from "node:fs"

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

const folderOf = (pid: string): string => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ""
  }
}

const others = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
const commandLine = (pid: string) => read(`/proc/${pid}/cmdline`).replaceAll("\0", " ")

/** Command lines of the running processes that name this text, the caller's own left out. */
export const processesNaming = (text: string): ReadonlyArray<string> =>
  others()
    .map(commandLine)
    .filter((line) => line.includes(text))

/** Command lines of the running processes that work in this folder. */
export const processesIn = (folder: string): ReadonlyArray<string> =>
  others()
    .filter((pid) => folderOf(pid) === folder)
    .map(commandLine)
