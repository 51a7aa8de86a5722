import { Effect } from "effect"
import { unidiffNames } from "../../git/diff/entry.ts"
import { type StreamedEntry, type WriteEntries, wholeDiff } from "../../git/diff/wholeDiff.ts"
import type { Repository } from "../../git/Repository.ts"
import { aroundPlaceholder, placeholder } from "../../http/answer/longLists.ts"
import { JsonStream, revalidate } from "../../http/answer/Reply.ts"
import { escapedPieces } from "../../kernel/json/jsonTexts.ts"
import { presentDiff } from "../../repositories/Code.ts"
import { unlessLost } from "./lostCommits.ts"

/** Which two commits differ, and how that is shown. */
export interface Shown {
  readonly from: string
  readonly to: string
  readonly isUnidiff: boolean
  readonly isGenerated: (path: string) => boolean
}

function* fileTexts({ entry, text }: StreamedEntry, { isGenerated, isUnidiff }: Shown): Generator<string> {
  const [before, after = ""] = aroundPlaceholder({
    ...presentDiff({ ...entry, diff: placeholder }, false),
    generated_file: isGenerated(entry.newPath)
  })
  yield `${before}"`
  let isEmpty = true
  for (const piece of text) {
    if (isEmpty && isUnidiff) yield* escapedPieces(unidiffNames(entry))
    isEmpty = false
    yield* escapedPieces(piece)
  }
  yield `"${after}`
}

/** Writes the files into the place of the placeholder. */
const writing = (answer: object, shown: Shown): WriteEntries =>
  async function* (entries) {
    const [before, after = ""] = aroundPlaceholder(answer)
    yield `${before}[`
    let separator = ""
    for await (const entry of entries) {
      yield separator
      separator = ","
      yield* fileTexts(entry, shown)
    }
    yield `]${after}`
  }

/**
 * An answer in which all files that differ, with all of their texts, take the place of the empty list under `key`. It is written while `git`
 * prints them.
 */
export const withWholeDiff = Effect.fnUntraced(function* <K extends string, B extends { readonly [key in K]: readonly [] }>(
  repository: Repository,
  shown: Shown,
  { answer, key }: { readonly answer: B; readonly key: K }
) {
  const write = writing({ ...answer, [key]: placeholder }, shown)
  const { content } = yield* unlessLost(repository, [shown.from, shown.to], wholeDiff(repository, shown, write))
  return { body: new JsonStream<B>(content), headers: revalidate }
})
