import { type Ambiguity, endingOf, type LanguageTable, languageOf } from "./languageTable.ts"
import { isOwn } from "./ownPaths.ts"

/** The bytes by language, the most first, then by name. */
export type LanguageBytes = ReadonlyArray<readonly [language: string, bytes: number]>

const add = (sums: Map<string, number>, name: string, size: number) => sums.set(name, (sums.get(name) ?? 0) + size)

/** Sums up the files of a tree. Keeps a sum for each language and ending, not for each file. */
export class LanguageTally {
  readonly #table: LanguageTable
  readonly #languages = new Map<string, number>()
  readonly #ambiguous = new Map<string, number>()
  readonly #endings = new Map<string, number>()

  constructor(table: LanguageTable) {
    this.#table = table
  }

  /** Adds a file; `path` is from the root, and `size` is in bytes. */
  add(path: string, size: number): void {
    if (!isOwn(path)) return
    const name = path.slice(path.lastIndexOf("/") + 1)
    add(this.#endings, endingOf(name), size)
    const found = languageOf(this.#table, name)
    if (found?._tag === "Known") add(this.#languages, found.language, size)
    else if (found !== undefined) add(this.#ambiguous, found.ending, size)
  }

  get bytes(): LanguageBytes {
    const sums = new Map(this.#languages)
    for (const [ending, size] of this.#ambiguous) {
      const ambiguity = this.#table.ambiguous.get(ending)
      const language = ambiguity && this.#likely(ambiguity)
      if (language !== undefined) add(sums, language, size)
    }
    return [...sums].filter(([, size]) => size > 0).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  }

  #likely({ candidates, fallback }: Ambiguity): string | undefined {
    const beside = (endings: ReadonlyArray<string>) => endings.reduce((sum, each) => sum + (this.#endings.get(each) ?? 0), 0)
    const weighed = candidates.map(({ beside: endings, language }) => ({ weight: beside(endings), language }))
    const maxWeight = Math.max(...weighed.map(({ weight }) => weight))
    return maxWeight === 0 ? fallback : weighed.find(({ weight }) => weight === maxWeight)?.language
  }
}

/** The percentages by language with two digits, in the same order. */
export const sharesOf = (bytes: LanguageBytes): Readonly<Record<string, number>> => {
  const total = bytes.reduce((sum, [, size]) => sum + size, 0)
  return Object.fromEntries(bytes.map(([language, size]) => [language, Math.round((size / total) * 10_000) / 100]))
}
