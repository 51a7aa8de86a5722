import { decodeText } from "../objects/decodeText.ts"
import type { Admission } from "./limits.ts"
import type { Patch } from "./parser.ts"

/** One changed file as clients see it. */
export interface DiffEntry extends Omit<Patch, "text"> {
  readonly isNew: boolean
  readonly isDeleted: boolean
  readonly isRenamed: boolean
  /** The text is left out to keep the whole list small. */
  readonly isCollapsed: boolean
  /** The text is too large to be shown. */
  readonly isTooLarge: boolean
  /** The UTF-8 text from the first `@@` on, with `\n` at its end; a notice for a binary file; empty where there is nothing to show. */
  readonly diff: string
}

/** A zero in this many bytes at the beginning shows that `git` took a binary file for text. */
const sniffedBytes = 1024 * 1024

/** What stands for the text of a file that `git` did not know to be binary. */
export const binaryNotice = ({ newPath, oldPath, text }: Patch): string | undefined =>
  text.subarray(0, sniffedBytes).includes(0) ? `Binary files ${oldPath} and ${newPath} differ\n` : undefined

const textOf = (patch: Patch) => {
  const notice = binaryNotice(patch)
  return notice === undefined ? { diff: decodeText(patch.text) } : { isBinary: true, diff: notice }
}

export const diffEntry = ({ text, ...patch }: Patch, admission: Exclude<Admission, "cut">): DiffEntry => ({
  ...patch,
  isNew: patch.aMode === "0",
  isDeleted: patch.bMode === "0",
  isRenamed: patch.oldPath !== patch.newPath,
  isCollapsed: admission === "collapsed",
  isTooLarge: admission === "tooLarge",
  diff: "",
  ...(admission === "shown" ? textOf({ text, ...patch }) : {})
})

/** The two lines of names that tools for patches expect in front of a text; nothing for a notice. */
export const unidiffNames = ({ isBinary, isDeleted, isNew, newPath, oldPath }: DiffEntry): string => {
  if (isBinary) return ""
  const from = isNew ? "/dev/null" : `a/${oldPath}`
  const to = isDeleted ? "/dev/null" : `b/${newPath}`
  return `--- ${from}\n+++ ${to}\n`
}

/** The text with its lines of names in front; what is empty stays so. */
export const unidiff = (entry: DiffEntry): string => (entry.diff === "" ? "" : `${unidiffNames(entry)}${entry.diff}`)
