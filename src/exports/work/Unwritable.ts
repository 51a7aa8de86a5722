import { Data } from "effect"
import { DiskFull } from "../../git/process/SpoolFile.ts"

export const noSpace = "No space left on the disk"

/** What the operating system says, in words. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: noSpace,
  EDQUOT: noSpace,
  ENOENT: "The folder of the export is gone",
  ENOTDIR: "The folder of the export is gone",
  EROFS: "The disk cannot be written",
  EACCES: "The disk cannot be written",
  EPERM: "The disk cannot be written",
  EIO: "The disk failed"
}

/** A file could not be written, or what it is made of not be read. */
export class Unwritable extends Data.TaggedError("Unwritable")<{ readonly cause: unknown }> {
  /** Why, in words for people; undefined where it is no fault of the disk. */
  get reason(): string | undefined {
    const { cause } = this
    if (cause instanceof DiskFull) return noSpace
    return typeof cause === "object" && cause !== null && "code" in cause ? reasons[String(cause.code)] : undefined
  }
}
