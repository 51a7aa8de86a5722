import { type DiffEntry, unidiff } from "../../git/diff/entry.ts"
import type { DiffShape } from "../shapes.ts"

/** Shows a diff; with `isUnidiff`, the text begins with the lines of names that tools for patches expect. */
export const presentDiff = (entry: DiffEntry, isUnidiff: boolean): typeof DiffShape.Type => ({
  diff: isUnidiff ? unidiff(entry) : entry.diff,
  new_path: entry.newPath,
  old_path: entry.oldPath,
  a_mode: entry.aMode,
  b_mode: entry.bMode,
  new_file: entry.isNew,
  renamed_file: entry.isRenamed,
  deleted_file: entry.isDeleted
})
