import { mebibyte } from "../../kernel/units.ts"
import type { Patch } from "./parser.ts"

interface Totals {
  readonly files: number
  /** The number of lines of content, without those that begin with `@@`. */
  readonly lines: number
  readonly bytes: number
}

export interface DiffLimits {
  /** More files, or as many lines or bytes: the list ends before the file that comes to it. Texts that are too large, or beyond the safe totals, count for nothing. */
  readonly hard: Totals
  /** A patch of so many bytes is too large to be shown. */
  readonly patchBytes: number
  /** The limits beyond which entries are listed without text; null for none. */
  readonly collapse: {
    /** A file that brings one of these totals above its limit collapses. */
    readonly safe: Totals
    /** A patch of so many bytes collapses, unless it is the only one. */
    readonly patchBytes: number
  } | null
  /** At most this many bytes of patches are read, shown or not; then the list ends. */
  readonly readBytes: number
}

export const defaultLimits: DiffLimits = {
  hard: { files: 1000, lines: 50_000, bytes: 1000 * 5 * 1024 },
  patchBytes: 200 * 1024,
  collapse: { safe: { files: 100, lines: 5000, bytes: 100 * 5 * 1024 }, patchBytes: 20 * 1024 },
  readBytes: 512 * mebibyte
}

/** These limits only protect the service: every text is shown up to 16 MiB, of so many files as hardly any repository has. */
export const noLimits: DiffLimits = {
  hard: { files: 100_000, lines: Number.POSITIVE_INFINITY, bytes: 256 * mebibyte },
  patchBytes: 16 * mebibyte,
  collapse: null,
  readBytes: 1024 * mebibyte
}

export type Admission = "shown" | "collapsed" | "tooLarge" | "cut"

/** Decides for one patch after the other how much of each is shown; after "cut" there is no next one. */
export class DiffGate {
  readonly #limits: DiffLimits
  #files = 0
  #lines = 0
  #bytes = 0
  #read = 0

  constructor(limits: DiffLimits) {
    this.#limits = limits
  }

  admit({ bytes, lines }: Pick<Patch, "bytes" | "lines">, isOnly: boolean): Admission {
    const { collapse, hard, patchBytes, readBytes } = this.#limits
    const files = ++this.#files
    this.#read += bytes
    if (files > hard.files || this.#read > readBytes) return "cut"
    if (bytes >= patchBytes) return "tooLarge"
    const [allLines, allBytes] = [this.#lines + lines, this.#bytes + bytes]
    const isSafe =
      collapse === null || (files <= collapse.safe.files && allLines <= collapse.safe.lines && allBytes <= collapse.safe.bytes)
    if (!isSafe && lines > 0) return "collapsed"
    if (allLines >= hard.lines || allBytes >= hard.bytes) return "cut"
    this.#lines = allLines
    this.#bytes = allBytes
    return collapse !== null && bytes >= collapse.patchBytes && !isOnly ? "collapsed" : "shown"
  }
}
