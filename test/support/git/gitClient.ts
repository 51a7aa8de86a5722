import { text } from "node:stream/consumers"
import { Spawner } from "#src/platform/processes/spawner/Spawner.ts"
import { gitEnvironment } from "./gitEnvironment.ts"

export interface GitRun {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Not that of the product, which tests end and count. */
const spawner = new Spawner()

/** A `git` that runs. */
export interface StartedGit {
  /** Signals it, and what it started. */
  readonly kill: (signal: NodeJS.Signals) => void
  /** The status is -1 when a signal ended it. */
  readonly end: Promise<GitRun>
}

/**
 * Starts the unmodified `git` of this machine in a folder, without anybody's settings and in a group of its own. The test's own process goes on
 * meanwhile; a small one starts it, which takes a quarter of the time.
 */
export const startGit = (folder: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): StartedGit => {
  const child = spawner.start("git", args, {
    cwd: folder,
    env: { ...gitEnvironment, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true
  })
  const closed = new Promise<number>((resolve, reject) => {
    child.once("close", (status) => resolve(status ?? -1)).once("error", reject)
  })
  const ended = Promise.all([closed, text(child.stdout), text(child.stderr)])
  return {
    kill: (signal) => child.killGroup(signal),
    end: ended.then(([status, stdout, stderr]) => ({ status, stdout, stderr }))
  }
}

/** Runs `git` to its end, with `folder` as its home, too. */
export const gitClient = (folder: string, args: ReadonlyArray<string>): Promise<GitRun> =>
  startGit(folder, args, { HOME: folder }).end
