import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { isOnPath } from "./isOnPath.ts"
import { marker } from "./marker.ts"
import type { ProcessLimit } from "./ProcessLimits.ts"

const program = fileURLToPath(new URL("warden.sh", import.meta.url))

/** Whether limits can be set for a process that runs already. */
export const hasPrlimit = process.platform === "linux" && isOnPath("prlimit", process.env.PATH ?? "")

/** It ends after this process, whose end it waits for. Undefined where the system has no room for it. */
const startShell = (): ChildProcess | undefined => {
  try {
    return spawn("/bin/sh", [program, marker], { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] })
  } catch {
    return undefined
  }
}

/**
 * A small process beside this one that outlives it: it sets limits of processes that run already, without this one having to start a
 * program for each, and ends what this process started once it is gone.
 */
export class Warden {
  #input: NodeJS.WritableStream | undefined

  /** Starts it, unless it runs. */
  start(): void {
    if (this.#input !== undefined) return
    const child = startShell()
    child?.once("error", () => {})
    // It is tried again with the next process.
    if (child?.pid === undefined || child.stdin === null) return
    const { stdin } = child
    const forget = () => {
      if (this.#input === stdin) this.#input = undefined
    }
    child.once("exit", forget)
    stdin.on("error", forget)
    child.unref()
    if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref()
    this.#input = stdin
  }

  /** Limits a process that runs. */
  limit(id: number, { cpu, memory }: ProcessLimit): void {
    this.start()
    this.#input?.write(`${id} ${memory} ${cpu}\n`)
  }
}
