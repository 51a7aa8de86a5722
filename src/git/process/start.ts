import type { LimitedChild, Processes, ProcessOptions } from "../../platform/processes/Processes.ts"
import type { Repository } from "../Repository.ts"
import { allocationLimit, environment } from "./environment.ts"

const isolated: Readonly<Record<string, string>> = {
  ...environment,
  GIT_OPTIONAL_LOCKS: "0",
  GIT_LITERAL_PATHSPECS: "1"
}

/** A folder may belong to another user, such as that of a container's volume. */
const fixed = ["-c", "safe.directory=*", "-c", "core.quotePath=false", "-c", "protocol.allow=never", "-c", "gc.auto=0"]

export interface StartOptions extends Pick<ProcessOptions, "class" | "isLasting" | "onOutput"> {
  /** The environment variables beside the fixed ones. */
  readonly env?: Readonly<Record<string, string>>
  /** Whether it reads anything; the default is true. */
  readonly hasInput?: boolean
}

/**
 * Starts `git` on a repository; whoever starts it must end it. Arguments are never read by a shell. Names that come from users
 * may only stand where `git` reads no option: behind `--end-of-options` or `--`, or checked by `refNames.ts` or as object ids.
 */
export const start = (
  processes: Processes,
  repository: Repository,
  args: ReadonlyArray<string>,
  { env = {}, hasInput = true, ...options }: StartOptions
): LimitedChild =>
  processes.start("git", [...fixed, `--git-dir=${repository.path}`, ...args], {
    ...options,
    cwd: "/",
    env: { ...isolated, ...allocationLimit(processes, options.class), ...env },
    stdio: [hasInput ? "pipe" : "ignore", "pipe", "pipe"]
  })
