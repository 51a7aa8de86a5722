import { execFile } from "node:child_process"

export interface GitRun {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the unmodified `git` of this machine in a folder, without anybody's settings. The test's own process goes on meanwhile. */
export const gitClient = (folder: string, args: ReadonlyArray<string>): Promise<GitRun> =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      LC_ALL: "C",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_TERMINAL_PROMPT: "0",
      GIT_AUTHOR_NAME: "Ann",
      GIT_AUTHOR_EMAIL: "ann@example.com",
      GIT_COMMITTER_NAME: "Ann",
      GIT_COMMITTER_EMAIL: "ann@example.com"
    }
    execFile("git", [...args], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1
      resolve({ status, stdout, stderr })
    })
  })
