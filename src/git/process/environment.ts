import type { Processes } from "../../platform/processes/Processes.ts"
import type { WorkClass } from "../../platform/work/CurrentWork.ts"

/**
 * The limit of memory of a `git` that receives objects: a few bytes may claim to be an object of any size, for which it allocates
 * memory first. Objects above `core.bigFileThreshold`, which is lower, need none. Fourteen million objects fit.
 */
export const memoryLimit = { GIT_ALLOC_LIMIT: "1g" } as const

/** Lets `git` refuse in words what is larger than all that the process may use. */
export const allocationLimit = ({ limits }: Processes, workClass: WorkClass): Readonly<Record<string, string>> => ({
  GIT_ALLOC_LIMIT: String(limits[workClass].memory)
})

/** The environment of every `git`: no settings of the machine or the caller change what it does, and it never prompts. */
export const environment = {
  PATH: process.env.PATH ?? "",
  LC_ALL: "C",
  TZ: "UTC",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  // Whoever may push to `refs/replace` would show other contents under the ids of protected branches.
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_DEFAULT_HASH: "sha1",
  GIT_DEFAULT_REF_FORMAT: "files"
} as const
