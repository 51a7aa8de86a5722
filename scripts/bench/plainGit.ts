import { execFile } from "node:child_process"
import { promisify } from "node:util"

/** Git reads no user's settings, and a repository may belong to another user. */
export const gitEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? "",
  LC_ALL: "C",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "safe.directory",
  GIT_CONFIG_VALUE_0: "*",
  GIT_TERMINAL_PROMPT: "0"
}

/** Runs `git` in a repository, and answers what it printed, without white space at the end. */
export const git = async (repository: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { stdout } = await promisify(execFile)("git", ["-C", repository, ...args], {
    env: gitEnvironment,
    maxBuffer: 1024 * 1024 * 1024
  })
  return stdout.trimEnd()
}

/** Runs `git` in a repository, and answers the lines that it printed. */
export const gitLines = async (repository: string, ...args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  (await git(repository, ...args)).split("\n").filter(Boolean)
