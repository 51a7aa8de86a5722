import { execFile } from "node:child_process"
import { promisify } from "node:util"

/** What the `git` that is found on the PATH says of its version, such as `git version 2.47.1`; rejects where there is none. */
export const gitVersion = (): Promise<string> => promisify(execFile)("git", ["--version"]).then(({ stdout }) => stdout.trim())
