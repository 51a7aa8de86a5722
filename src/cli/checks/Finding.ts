import { Effect } from "effect"

/** What a check found: one line, and what to do about it. */
export interface Finding {
  readonly name: string
  readonly status: "ok" | "warn" | "fail"
  readonly detail: string
  readonly remedy?: string
}

export const ok = (name: string, detail: string): Finding => ({ name, status: "ok", detail })
export const warn = (name: string, detail: string, remedy: string): Finding => ({ name, status: "warn", detail, remedy })
export const fail = (name: string, detail: string, remedy: string): Finding => ({ name, status: "fail", detail, remedy })

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Runs a check; whatever breaks it is its finding. */
export const checked = <R>(
  name: string,
  remedy: string,
  check: Effect.Effect<ReadonlyArray<Finding>, unknown, R>
): Effect.Effect<ReadonlyArray<Finding>, never, R> =>
  check.pipe(
    Effect.timeout("30 seconds"),
    Effect.catch((cause) => Effect.succeed([fail(name, reasonOf(cause), remedy)])),
    Effect.catchDefect((cause) => Effect.succeed([fail(name, reasonOf(cause), remedy)]))
  )
