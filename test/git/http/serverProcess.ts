import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { Effect } from "effect"
import { startGitService } from "./gitService.ts"

/** A git service in a process of its own. */
export interface ServerProcess {
  readonly url: string
  readonly child: ChildProcess
  /** Bytes that it had in memory at most. */
  readonly peak: () => number
}

/** `recordMillis`: how long each record of a push takes. Makes `group/1`. */
export const startServerProcess = (folder: string, recordMillis = 0): Promise<ServerProcess> => {
  const child = spawn(process.execPath, [import.meta.filename, folder, String(recordMillis)], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  const peak = () => {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? []
    return Number(kilobytes) * 1024
  }
  return new Promise((resolve, reject) => {
    child.once("exit", (status) => reject(new Error(`the server ended with ${status}`)))
    createInterface(child.stdout).once("line", (url) => resolve({ url, child, peak }))
  })
}

if (import.meta.main) {
  const [, , folder = "", recordMillis] = process.argv
  const service = await startGitService(folder)
  service.onPush = () => Effect.as(Effect.sleep(Number(recordMillis)), [])
  await service.create(1)
  console.log(service.url)
}
