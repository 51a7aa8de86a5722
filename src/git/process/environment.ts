/**
 * Of a `git` that takes objects from elsewhere. A few bytes may claim to become an object of any size, for which it makes room first;
 * what is larger than `core.bigFileThreshold`, which is less, needs none. Fourteen million objects fit.
 */
export const memoryLimit = { GIT_ALLOC_LIMIT: "1g" } as const

/** Of every `git`: nothing of the machine or the caller's environment changes what it does, and it never asks anybody anything. */
export const environment = {
  PATH: process.env.PATH ?? "",
  LC_ALL: "C",
  TZ: "UTC",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_DEFAULT_HASH: "sha1",
  GIT_DEFAULT_REF_FORMAT: "files"
} as const
