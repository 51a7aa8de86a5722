import { open } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Data, Predicate } from "effect"
import { makeFolder } from "../../git/process/makeFolder.ts"
import { mebibyte } from "../../kernel/units.ts"
import type { SiteLimits } from "../PagesHost.ts"
import { namesBelow, namesIn } from "./paths.ts"

/** An archive that is not made a site, with the reason. */
export class ArchiveRefused extends Data.TaggedError("ArchiveRefused")<{ readonly reason: string }> {}

/** All files together may have so many times as many bytes as the archive, or this many where that is small. */
const maxRatio = 200
const freeBytes = 16 * mebibyte

/** A tar has so many bytes at most between the contents of two entries: headers, which are taken apart at once. */
const maxBetween = 64 * 1024
/** It is taken in pieces of so many bytes, so that others have their turns. */
const pieceBytes = 4 * 1024

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

const cannotBeFile = (path: string) => new ArchiveRefused({ reason: `has a path that cannot be a file: ${path.slice(0, 200)}` })
const codeOf = (cause: unknown): unknown => (Predicate.hasProperty(cause, "code") ? cause.code : undefined)

/** Writes the files of an archive, as long as they stay within the limits. */
export class SiteWriter {
  readonly #options: SiteWriterOptions
  readonly #maxBytes: number
  readonly #folders = new Set<string>()
  /** The paths of files, where they are claimed. */
  readonly #claimed = new Set<string>()
  #entries = 0
  /** How many bytes of a tar came, and how many of them were contents; how many were not, up to the last entry. */
  #came = 0
  #contents = 0
  #between = 0
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
    this.#between = this.#came - this.#contents
    this.expect(this.#entries + this.#folders.size)
    const names = namesIn(entry)
    if (names === undefined) throw new ArchiveRefused({ reason: `has an entry that cannot be shown: ${entry.slice(0, 200)}` })
    const below = namesBelow(root, names)
    if (below === undefined) return undefined
    this.#enter(below)
    this.expect(this.#entries + this.#folders.size)
    return join(folder, ...below)
  }

  /** Notes the folders of a path, up to the first one that is known, as those around it are then. */
  #enter(names: ReadonlyArray<string>): void {
    for (let depth = names.length - 1; depth > 0; depth--) {
      const folder = names.slice(0, depth).join("/")
      if (this.#folders.has(folder)) return
      if (this.#claimed.has(folder)) throw cannotBeFile(names.join("/"))
      this.#folders.add(folder)
    }
  }

  /** Keeps the path of a file for an entry, where several are written at the same time. Refuses one that another has, or that is a folder. */
  claim(entry: string, path: string): void {
    const shown = path.slice(this.#options.folder.length + 1)
    if (this.#claimed.has(shown)) throw new ArchiveRefused({ reason: `has two entries of the same name: ${entry.slice(0, 200)}` })
    if (this.#folders.has(shown)) throw cannotBeFile(shown)
    this.#claimed.add(shown)
  }

  /** Refuses an archive that says itself that it has too many entries. */
  expect(entries: number): void {
    const { maxFiles } = this.#options.limits
    if (entries > maxFiles) throw new ArchiveRefused({ reason: `has more than ${maxFiles} files and folders` })
  }

  /** Refuses what is neither a file nor a folder. */
  refuse(entry: string): never {
    throw new ArchiveRefused({ reason: `has an entry that is neither a file nor a folder: ${entry.slice(0, 200)}` })
  }

  /** Writes a file, and brings it to the disk. */
  async write(path: string, content: AsyncIterable<Buffer>): Promise<void> {
    try {
      await makeFolder(dirname(path))
      await using file = await open(path, "w", 0o644)
      for await (const piece of content) {
        this.#take(piece.length)
        this.size += piece.length
        await file.appendFile(piece)
      }
      await file.sync()
      this.files += 1
    } catch (cause) {
      if (!nameErrors.has(codeOf(cause))) throw cause
      throw cannotBeFile(path.slice(this.#options.folder.length + 1))
    }
  }

  /** Reads the content of an entry that is not written; it counts all the same. */
  async skip(content: AsyncIterable<Buffer>): Promise<void> {
    for await (const piece of content) this.#take(piece.length)
  }

  /** Passes a tar on in small pieces, as long as its headers are no larger than those of files. */
  async *within(tar: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of tar) {
      for (let at = 0; at < piece.length; at += pieceBytes) {
        const part = piece.subarray(at, at + pieceBytes)
        this.#came += part.length
        if (this.#came - this.#contents - this.#between > maxBetween)
          throw new ArchiveRefused({ reason: `has headers of more than ${maxBetween} bytes` })
        yield part
      }
    }
  }

  #take(bytes: number): void {
    this.#contents += bytes
    if (this.#contents > this.#maxBytes)
      throw new ArchiveRefused({ reason: `has more than ${this.#maxBytes} bytes when it is unpacked` })
  }
}
