import { Result } from "effect"
import type { Entry } from "#src/changelog/categories.ts"
import type { ChangelogFailed } from "#src/changelog/errors.ts"

/** The value, or the reason of the failure. */
export const outcome = <A>(result: Result.Result<A, ChangelogFailed>): A | string =>
  Result.match(result, { onSuccess: (value): A | string => value, onFailure: ({ reason }) => reason })

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
