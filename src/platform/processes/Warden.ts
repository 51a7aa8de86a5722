import { fileURLToPath } from "node:url"
import { startChild } from "./child.ts"
import { isOnPath } from "./isOnPath.ts"
import { marker } from "./marker.ts"
import type { ProcessLimit } from "./ProcessLimits.ts"

const program = fileURLToPath(new URL("warden.sh", import.meta.url))

/** Whether limits can be set for a process that runs already. */
export const hasPrlimit = process.platform === "linux" && isOnPath("prlimit", process.env.PATH ?? "")

/**
 * A small process beside this one that outlives it: it sets limits of processes that run already, without this one having to start a
 * program for each, and ends what this process started once it is gone.
 */
export class Warden {
  #input: NodeJS.WritableStream | undefined

  /** Starts it, unless it runs. */
  start(): void {
    if (this.#input !== undefined) return
    const child = startChild("/bin/sh", [program, marker], { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] })
    child.once("error", () => {})
    // It is tried again with the next process.
    if (child.pid === undefined) return
    const forget = () => {
      if (this.#input === child.stdin) this.#input = undefined
    }
    child.once("exit", forget)
    child.stdin.on("error", forget)
    // It must not keep this process running, whose end it waits for.
    child.unref()
    if ("unref" in child.stdin && typeof child.stdin.unref === "function") child.stdin.unref()
    this.#input = child.stdin
  }

  /** Limits a process that runs. */
  limit(id: number, { cpu, memory }: ProcessLimit): void {
    this.start()
    this.#input?.write(`${id} ${memory} ${cpu}\n`)
  }
}
