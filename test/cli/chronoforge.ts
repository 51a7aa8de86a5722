import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly ended: Promise<Ended>
  readonly signal: (name: NodeJS.Signals) => void
  /** Reads no more of what it prints. */
  readonly closeOutput: () => void
}

/** Starts `node src/main.js` with these arguments, as a process of its own. `env`: settings. */
export const start = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>): Running => {
  const child = spawn(process.execPath, ["src/main.js", ...args], {
    env: { PATH: process.env.PATH ?? "", LOG_LEVEL: "error", ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve))
  // Where nobody reads its output any more, there is none.
  const printed = text(child.stdout).catch(() => "")
  const ended = Promise.all([closed, printed, text(child.stderr)])
  return {
    ended: ended.then(([code, stdout, stderr]) => ({ code, stdout, stderr })),
    signal: (name) => child.kill(name),
    closeOutput: () => child.stdout.destroy()
  }
}

/** The same, waiting for its end. */
export const chronoforge = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>): Promise<Ended> =>
  start(args, env).ended
