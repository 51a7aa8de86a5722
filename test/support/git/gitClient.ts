import { execFile } from "node:child_process"
import { gitEnvironment } from "./gitEnvironment.ts"

export interface GitRun {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the unmodified `git` of this machine in a folder, without anybody's settings. The test's own process goes on meanwhile. */
export const gitClient = (folder: string, args: ReadonlyArray<string>): Promise<GitRun> =>
  new Promise((resolve) => {
    const env = { ...gitEnvironment, HOME: folder }
    execFile("git", [...args], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1
      resolve({ status, stdout, stderr })
    })
  })
