import { mkdir, open } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Data, Predicate } from "effect"
import { mebibyte } from "../../kernel/units.ts"
import type { SiteLimits } from "../PagesHost.ts"
import { namesBelow, namesIn } from "./paths.ts"

/** An archive that is not made a site, with the reason. */
export class ArchiveRefused extends Data.TaggedError("ArchiveRefused")<{ readonly reason: string }> {}

/** All files together may have so many times as many bytes as the archive, or this many where that is small. */
const maxRatio = 200
const freeBytes = 16 * mebibyte

/** A tar has so many bytes for each entry besides its content: its header, one for a long name with it, and what fills up. */
const bytesBetween = 4 * 512

export interface SiteWriterOptions {
  /** Where the files are written. */
  readonly folder: string
  /** The folder of the archive of which everything is taken. */
  readonly root: ReadonlyArray<string>
  readonly limits: SiteLimits
  /** The size of the archive. */
  readonly archiveBytes: number
}

/** The codes of what happens where a name is that of a file and that of a folder, or where the file system refuses it. */
const nameErrors: ReadonlySet<unknown> = new Set(["EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "EILSEQ", "EINVAL"])
const codeOf = (cause: unknown): unknown => (Predicate.hasProperty(cause, "code") ? cause.code : undefined)

/** Writes the files of an archive, as long as they stay within the limits. */
export class SiteWriter {
  readonly #options: SiteWriterOptions
  readonly #maxBytes: number
  #entries = 0
  /** How many files were written. */
  files = 0
  /** How many bytes they have together. */
  size = 0

  constructor(options: SiteWriterOptions) {
    const { archiveBytes, limits } = options
    this.#options = options
    this.#maxBytes = Math.min(limits.maxBytes, Math.max(freeBytes, archiveBytes * maxRatio))
  }

  /** Where the file of an entry goes; undefined where it is not below the root. Fails for a path that leads elsewhere, and for too many. */
  pathOf(entry: string): string | undefined {
    const { folder, root } = this.#options
    this.#entries += 1
    this.expect(this.#entries)
    const names = namesIn(entry)
    if (names === undefined) throw new ArchiveRefused({ reason: `has an entry that cannot be shown: ${entry.slice(0, 200)}` })
    const below = namesBelow(root, names)
    return below && join(folder, ...below)
  }

  /** Refuses an archive that says itself that it has too many entries. */
  expect(entries: number): void {
    const { maxFiles } = this.#options.limits
    if (entries > maxFiles) throw new ArchiveRefused({ reason: `has more than ${maxFiles} entries` })
  }

  /** Refuses what is neither a file nor a folder. */
  refuse(entry: string): never {
    throw new ArchiveRefused({ reason: `has an entry that is neither a file nor a folder: ${entry.slice(0, 200)}` })
  }

  /** Writes a file, and brings it to the disk. */
  async write(path: string, content: AsyncIterable<Buffer>): Promise<void> {
    try {
      await mkdir(dirname(path), { recursive: true })
      await using file = await open(path, "w", 0o644)
      for await (const piece of content) {
        this.#take(piece.length)
        await file.appendFile(piece)
      }
      await file.sync()
      this.files += 1
    } catch (cause) {
      if (!nameErrors.has(codeOf(cause))) throw cause
      const shown = path.slice(this.#options.folder.length + 1).slice(0, 200)
      throw new ArchiveRefused({ reason: `has a path that cannot be a file: ${shown}` })
    }
  }

  /** Passes a tar on, with all that is in it besides files: as long as that stays within what so many entries need. */
  async *within(tar: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const limit = this.#maxBytes + this.#options.limits.maxFiles * bytesBetween
    let bytes = 0
    for await (const piece of tar) {
      bytes += piece.length
      if (bytes > limit) throw new ArchiveRefused({ reason: `has more than ${limit} bytes when it is unpacked` })
      yield piece
    }
  }

  #take(bytes: number): void {
    this.size += bytes
    if (this.size > this.#maxBytes)
      throw new ArchiveRefused({ reason: `has more than ${this.#maxBytes} bytes when it is unpacked` })
  }
}
