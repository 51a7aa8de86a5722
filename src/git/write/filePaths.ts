/** Characters that some file systems leave out of names, so that `.g\u200cit` is `.git` there. */
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
/** `.git` as Windows also reads it: its short name, dots and spaces at the end, a stream of the file. */
const dotGit = /^(\.git|git~1)[. ]*(:.*)?$/i
const maxPathBytes = 4096

const isBadPart = (part: string): boolean =>
  part === "" ||
  part === "." ||
  part === ".." ||
  part.split("\\").some((piece) => dotGit.test(piece)) ||
  dotGit.test(part.replace(ignoredByHfs, ""))

/**
 * Whether a file may have this path: at most 4,096 bytes, no empty part, `.` or `..`, nothing that is `.git` on any system, no NUL.
 * Every other name is allowed, so that it never goes to a shell or a file system.
 */
export const isFilePath = (path: string): boolean =>
  !path.includes("\0") && path.isWellFormed() && Buffer.byteLength(path) <= maxPathBytes && !path.split("/").some(isBadPart)
