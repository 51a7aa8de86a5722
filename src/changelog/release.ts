import { Result } from "effect"
import { type Category, categoriesOf, type Entry } from "./categories.ts"
import type { Config } from "./config.ts"
import { formatDate, type LocalMoment } from "./dateFormat.ts"
import { Budget } from "./template/budget.ts"
import { type ChangelogFailed, failures } from "./template/errors.ts"
import { evaluate } from "./template/evaluate.ts"
import type { Sliced } from "./template/Sliced.ts"
import type { Value } from "./template/value.ts"
import { stripped, withoutTrailingSpace } from "./template/whiteSpace.ts"
import { withoutPrefix } from "./version.ts"

export interface Release {
  /** The version as the request names it, perhaps with a `v`. */
  readonly version: string
  readonly date: LocalMoment
  /** The entries come newest first. */
  readonly entries: ReadonlyArray<Entry>
}

/** The budget suffices for 15,000 entries in the default template several times over. */
const renderingSteps = 7_000_000
/** A directive of a date is two characters, and may print a hundred. */
const stepsOfADateCharacter = 350

/** The section of a release: header, blank line, what the template makes of the entries, blank line. */
export const sectionOf = function* (release: Release, config: Config): Sliced<Result.Result<string, ChangelogFailed>> {
  const budget = new Budget(renderingSteps)
  if (!budget.spend(config.dateFormat.length * stepsOfADateCharacter)) return Result.fail(failures.templateTimeout())
  const categories = categoriesOf(release.entries, config.categories).map(categoryData)
  const data: Value = new Map([["categories", categories]])
  const header = `## ${withoutPrefix(release.version)} (${formatDate(release.date, config.dateFormat)})`
  const rendered = yield* evaluate(config.template, data, budget)
  return Result.map(rendered, (text) => `${header}\n\n${stripped(text)}\n\n`)
}

/** The notes that GET answers. */
export const notesOf = (section: string): string => `${withoutTrailingSpace(section)}\n`

const categoryData = ({ title, entries }: Category): Value =>
  new Map<string, Value>([
    ["title", title],
    ["count", entries.length],
    ["single_change", entries.length === 1],
    ["entries", entries.map(entryData)]
  ])

const entryData = ({ title, commit, author, mergeRequest }: Entry): Value => {
  const data = new Map<string, Value>([
    ["title", title],
    [
      "commit",
      new Map<string, Value>([
        ["reference", commit.reference],
        ["web_url", commit.webUrl],
        ["trailers", new Map(commit.trailers)]
      ])
    ]
  ])
  if (author !== null) {
    const { reference, contributor, credit } = author
    data.set("author", new Map<string, Value>(Object.entries({ reference, contributor, credit })))
  }
  if (mergeRequest !== null) {
    const { reference, webUrl } = mergeRequest
    data.set("merge_request", new Map(Object.entries({ reference, web_url: webUrl })))
  }
  return data
}
