import { Result } from "effect"
import type { Entry } from "#src/changelog/categories.ts"
import type { ChangelogFailed } from "#src/changelog/template/errors.ts"
import type { Sliced } from "#src/changelog/template/Sliced.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"

/** The value, or the reason of the failure. */
export const outcome = <A>(result: Result.Result<A, ChangelogFailed>): A | string =>
  Result.match(result, { onSuccess: (value): A | string => value, onFailure: ({ reason }) => reason })

/** Does sliced work; answers also how long its longest slice and all of it took, in milliseconds of processor time. */
export const inSlices = <A>(work: Sliced<A>) => {
  const started = cpuMillis()
  for (let at = started, longest = 0, pauses = 0; ; pauses++) {
    const step = work.next()
    const now = cpuMillis()
    longest = Math.max(longest, now - at)
    at = now
    if (step.done) return { value: step.value, pauses, longest, total: now - started }
  }
}

export const january5 = { epochMillis: Date.UTC(2021, 0, 5, 12), offsetSeconds: 0 }

export const id = (digit: string): string => digit.repeat(40)

export const entry = (title: string, digit: string, more: Partial<Entry> = {}): Entry => ({
  category: "added",
  title,
  commit: { reference: `g/p@${id(digit)}`, webUrl: `https://host/g/p/-/commit/${id(digit)}`, trailers: [["Changelog", "added"]] },
  author: null,
  mergeRequest: null,
  ...more
})

/** Tags, from the oldest version on. */
export const tagNames = ["0.5.0+42.ee.0", "v0.7.0", "v0.8.0-pre1", "0.9.0", "v1.0.0", "v1.1.0", "v2.0.0"]

/** Versions, and with which of the tags their ranges begin. */
export const startTags: ReadonlyArray<[version: string, tag: string]> = [
  ["2.1.0", "v2.0.0"],
  ["v2.1.0", "v2.0.0"],
  ["2.0.0", "v1.1.0"],
  ["1.5.0", "v1.1.0"],
  ["1.0.1", "v1.0.0"],
  ["1.0.0", "0.9.0"],
  ["0.9.0", "v0.7.0"],
  ["0.6.0", "0.5.0+42.ee.0"],
  ["0.6.0-rc1", "0.5.0+42.ee.0"]
]
