import { Effect } from "effect"
import { gitVersion } from "../../git/process/gitVersion.ts"
import { checked, fail, ok } from "./Finding.ts"

const name = "git"
const remedy = "install git 2.38 or newer and put it on the PATH"
const [minMajor, minMinor] = [2, 38]

/** Whether there is a git that is new enough. */
export const checkGit = checked(
  name,
  remedy,
  Effect.promise(async () => {
    const stated = await gitVersion()
    const [, version = "", major = "0", minor = "0"] = /((\d+)\.(\d+)[^\s]*)/.exec(stated) ?? []
    const recent = Number(major) > minMajor || (Number(major) === minMajor && Number(minor) >= minMinor)
    return [recent ? ok(name, version) : fail(name, `${version || stated} is older than 2.38`, remedy)]
  })
)
