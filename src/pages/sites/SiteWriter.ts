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
const zeros = Buffer.alloc(pieceBytes)

/** An archive has so many times as many entries at most as its site may have files and folders: those outside of the site are read, too. */
const maxEntriesRatio = 5

export interface SiteWriterOptions {
  /** Where the files are written. */
  readonly folder: string
  /** The folder of the archive of which everything is taken. */
  readonly root: ReadonlyArray<string>
  readonly limits: SiteLimits
  /** The size of the archive. */
  readonly archiveBytes: number
}

/** An entry of an archive. */
export interface ArchiveEntry {
  readonly name: string
  readonly isFolder: boolean
  /** Whether no other may have its name: of a zip several are written at the same time, while in a tar later ones take the place of earlier ones. */
  readonly isOnly: boolean
}

/** The codes of what happens where a name is that of a file and that of a folder, or where the file system refuses it. */
const nameErrors: ReadonlySet<unknown> = new Set(["EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "EILSEQ", "EINVAL"])

/** A refusal that names an entry. */
export const refusal = (what: string, entry: string) => new ArchiveRefused({ reason: `${what}: ${entry.slice(0, 200)}` })
const cannotBeFile = (path: string) => refusal("has a path that cannot be a file", path)
const codeOf = (cause: unknown): unknown => (Predicate.hasProperty(cause, "code") ? cause.code : undefined)

/** Writes the files of an archive, as long as they stay within the limits. */
export class SiteWriter {
  readonly #options: SiteWriterOptions
  readonly #maxBytes: number
  /** The paths of the folders and files of the site. */
  readonly #folders = new Set<string>()
  readonly #files = new Set<string>()
  #entries = 0
  /** How many bytes of a tar came, and how many of them were contents; how many were not, up to the last entry. */
  #came = 0
  #contents = 0
  #between = 0
  /** How many zeros came last: contents, or what fills a tar up at its end. */
  #zeros = 0
  /** How many files were written. */
  files = 0
  /** How many bytes they have together. */
  size = 0

  constructor(options: SiteWriterOptions) {
    const { archiveBytes, limits } = options
    this.#options = options
    this.#maxBytes = Math.min(limits.maxBytes, Math.max(freeBytes, archiveBytes * maxRatio))
  }

  /** Where an entry goes; undefined where it is not below the root. Fails for a path that leads elsewhere, and for too many. */
  pathOf(entry: ArchiveEntry): string | undefined {
    const { folder, root } = this.#options
    this.#entries += 1
    this.#between = this.#came - this.#contents
    this.expect(this.#entries)
    const names = namesIn(entry.name)
    if (names === undefined) throw refusal("has an entry that cannot be shown", entry.name)
    const below = namesBelow(root, names)
    if (below === undefined) return undefined
    this.#enter(below, entry.isFolder ? below.length : below.length - 1)
    if (!entry.isFolder) this.#claim(entry, below.join("/"))
    const { maxFiles } = this.#options.limits
    if (this.#folders.size + this.#files.size > maxFiles)
      throw new ArchiveRefused({ reason: `has more than ${maxFiles} files and folders` })
    return join(folder, ...below)
  }

  /** Notes the folders of a path, up to the first one that is known, as those around it are then. */
  #enter(names: ReadonlyArray<string>, folders: number): void {
    for (let depth = folders; depth > 0; depth--) {
      const folder = names.slice(0, depth).join("/")
      if (this.#folders.has(folder)) return
      if (this.#files.has(folder)) throw cannotBeFile(names.join("/"))
      this.#folders.add(folder)
    }
  }

  /** Notes the path of a file. Refuses one that is a folder, or that another has where that may not be. */
  #claim({ isOnly, name }: ArchiveEntry, path: string): void {
    if (isOnly && this.#files.has(path)) throw refusal("has two entries of the same name", name)
    if (this.#folders.has(path)) throw cannotBeFile(path)
    this.#files.add(path)
  }

  /** Refuses an archive of so many entries, wherever they are, where that is too many. */
  expect(entries: number): void {
    const maxEntries = maxEntriesRatio * this.#options.limits.maxFiles
    if (entries > maxEntries)
      throw new ArchiveRefused({ reason: `has more than ${maxEntries} entries, with those outside of the site` })
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

  /**
   * Passes a tar on in small pieces, as long as its headers are no larger than those of files. Zeros that nothing follows fill it up, and count
   * as its contents do.
   */
  async *within(tar: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of tar) {
      for (let at = 0; at < piece.length; at += pieceBytes) {
        const part = piece.subarray(at, at + pieceBytes)
        this.#came += part.length
        this.#zeros = part.equals(zeros.subarray(0, part.length)) ? this.#zeros + part.length : 0
        const since = this.#came - this.#contents - this.#between
        if (since - this.#zeros > maxBetween) throw new ArchiveRefused({ reason: `has headers of more than ${maxBetween} bytes` })
        this.#fit(this.#contents + since - maxBetween)
        yield part
      }
    }
  }

  #take(bytes: number): void {
    this.#contents += bytes
    this.#fit(this.#contents)
  }

  /** Refuses so many bytes of contents where that is too many. */
  #fit(bytes: number): void {
    if (bytes > this.#maxBytes) throw new ArchiveRefused({ reason: `has more than ${this.#maxBytes} bytes when it is unpacked` })
  }
}
