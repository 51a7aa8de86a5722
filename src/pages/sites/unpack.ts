import { isUtf8 } from "node:buffer"
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { crc32, createGunzip } from "node:zlib"
import { extract, type Header } from "tar-stream"
import { type Entry, getFileNameLowLevel, openPromise, validateFileName, type ZipFile } from "yauzl"
import { ArchiveRefused, refusal, SiteWriter, type SiteWriterOptions } from "./SiteWriter.ts"

/** What was unpacked. */
export interface Unpacked {
  readonly files: number
  /** The bytes of all files. */
  readonly size: number
}

const notPlain = "has an entry that is neither a file nor a folder"

/** The type of a file in the mode of an entry that was made where there are such: a file, a folder, or none. */
const typeMask = 0o170000
const plainTypes: ReadonlySet<number> = new Set([0, 0o040000, 0o100000])

const isPlain = ({ externalFileAttributes }: Entry): boolean => plainTypes.has((externalFileAttributes >>> 16) & typeMask)

/** The bit that says that the name of an entry of a zip is UTF-8. */
const utf8Bit = 0x800

/**
 * The name of an entry of a zip. Many programs write UTF-8 without saying so. Words in the code page 437, which the format demands otherwise,
 * are hardly ever valid UTF-8. Refuses a name that leads elsewhere.
 */
const nameOf = ({ extraFields, fileNameRaw, generalPurposeBitFlag }: Entry): string => {
  const bits = isUtf8(fileNameRaw) ? generalPurposeBitFlag | utf8Bit : generalPurposeBitFlag
  const name = getFileNameLowLevel(bits, fileNameRaw, extraFields, false)
  const objection = validateFileName(name)
  if (objection !== null) throw new ArchiveRefused({ reason: `cannot be unpacked: ${objection}` })
  return name
}

/**
 * The content of an entry of a zip, which fails where it is damaged. It begins to flow before anybody reads it, so whatever fails then is kept
 * for who does: an error that nobody listens to would end the process.
 */
const contentOf = (zip: ZipFile, entry: Entry): Promise<Readable> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null) return reject(error)
      stream.on("error", (cause) => stream.destroy(cause))
      resolve(stream)
    })
  })

/** Passes the content of an entry on, and fails at its end where it is not what the archive says that it is. */
async function* checked(content: AsyncIterable<Buffer>, entry: Entry): AsyncGenerator<Buffer> {
  let checksum = 0
  for await (const piece of content) {
    checksum = crc32(piece, checksum)
    yield piece
  }
  if (checksum !== entry.crc32) throw refusal("has a damaged entry", nameOf(entry))
}

/** So many files of a zip are written at the same time: each waits for the disk. */
const concurrency = 8

const unpackZip = async (archive: string, writer: SiteWriter): Promise<void> => {
  const zip = await openPromise(archive, { decodeStrings: false, autoClose: false })
  const writing = new Set<Promise<void>>()
  let failure: { readonly cause: unknown } | undefined
  /** Never rejects: the first failure ends the whole. */
  const write = async (entry: Entry, path: string) => {
    try {
      await writer.write(path, checked(await contentOf(zip, entry), entry))
    } catch (cause) {
      failure ??= { cause }
    }
  }
  try {
    writer.expect(zip.entryCount)
    for await (const entry of zip.eachEntry()) {
      if (failure !== undefined) break
      const name = nameOf(entry)
      const isFolder = name.endsWith("/")
      if (!isPlain(entry)) throw refusal(notPlain, name)
      const path = writer.pathOf({ name, isFolder, isOnly: true })
      if (path === undefined || isFolder) continue
      if (entry.isEncrypted()) throw refusal("has an entry that is encrypted", name)
      const written = write(entry, path).finally(() => writing.delete(written))
      writing.add(written)
      if (writing.size >= concurrency) await Promise.race(writing)
    }
  } finally {
    await Promise.all(writing)
    zip.close()
  }
  if (failure !== undefined) throw failure.cause
}

/** Whether it was refused, or is a failure of the disk: everything else is the fault of the archive. */
const isTelling = (cause: unknown): boolean => cause instanceof ArchiveRefused || !(cause instanceof Error) || "syscall" in cause

/** The types of entries of a tar that are files or folders. */
const tarTypes: ReadonlySet<unknown> = new Set(["file", "contiguous-file", "directory"])

/** The name of a sparse file, of which a tar has no more than a list of its holes and what is between them; undefined for any other entry. */
const sparseName = ({ name, pax }: Header): string | undefined => {
  const fields = new Map<string, unknown>(Object.entries(pax ?? {}))
  if (![...fields.keys()].some((key) => key.startsWith("GNU.sparse."))) return undefined
  return String(fields.get("GNU.sparse.name") ?? name)
}

/** Refuses an entry of a tar that is neither a file nor a folder. Sparse files may also be of one of the types without a name. */
const requirePlain = (header: Header): void => {
  const [{ name, type }, sparse] = [header, sparseName(header)]
  if (sparse !== undefined) throw refusal("has a sparse file, which is not supported", sparse)
  if (type === null) throw refusal("has a sparse file, or an entry of another type that is not supported", name)
  if (!tarTypes.has(type)) throw refusal(notPlain, name)
}

/** The oldest format is read, too. The types do not know of this option. */
const anyFormat: Parameters<typeof extract>[0] & { readonly allowUnknownFormat: true } = { allowUnknownFormat: true }

const unpackTar = async (archive: string, isPacked: boolean, writer: SiteWriter): Promise<void> => {
  const entries = extract(anyFormat)
  const within = (tar: AsyncIterable<Buffer>) => writer.within(tar)
  const reading = isPacked
    ? pipeline(createReadStream(archive), createGunzip(), within, entries)
    : pipeline(createReadStream(archive), within, entries)
  const writing = async () => {
    for await (const entry of entries) {
      const { name, type } = entry.header
      requirePlain(entry.header)
      const isFolder = type === "directory"
      const path = writer.pathOf({ name, isFolder, isOnly: false })
      // Its types do not say that it gives buffers.
      const content = entry as AsyncIterable<Buffer>
      if (path !== undefined && !isFolder) await writer.write(path, content)
      else await writer.skip(content)
    }
  }
  const outcomes = await Promise.allSettled([writing(), reading])
  const causes = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []))
  // What stops one of them ends the other, too, with an error that says less.
  if (causes.length > 0) throw causes.find(isTelling) ?? causes.at(-1)
}

type Kind = "zip" | "tar" | "tar.gz"

/** What zips begin with: an entry, the end of one without entries, or the mark of one that was to be split. */
const zipMarks: ReadonlySet<string> = new Set(["PK\u0003\u0004", "PK\u0005\u0006", "PK\u0007\u0008"])

/** Where in the header of a tar its checksum is, which is made as if there were blanks. */
const [sumStart, sumEnd] = [148, 156]

/** Whether a block has the checksum of a header of a tar. The oldest format has nothing else to know it by. */
const isTarHeader = (block: Buffer): boolean => {
  const sum = block.reduce((total, byte, index) => total + (index >= sumStart && index < sumEnd ? 0x20 : byte), 0)
  return Number.parseInt(block.toString("latin1", sumStart, sumEnd), 8) === sum
}

/** What an archive is, by its first bytes; undefined for anything else. */
const kindOf = async (archive: string): Promise<Kind | undefined> => {
  await using file = await open(archive)
  const head = Buffer.alloc(512)
  await file.read(head, 0, head.length, 0)
  if (zipMarks.has(head.toString("latin1", 0, 4))) return "zip"
  if (head.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) return "tar.gz"
  return isTarHeader(head) ? "tar" : undefined
}

const faultOf = (cause: unknown): unknown =>
  isTelling(cause) || !(cause instanceof Error) ? cause : new ArchiveRefused({ reason: `cannot be unpacked: ${cause.message}` })

/** Writes the files of an archive into a folder. Rejects with `ArchiveRefused`, or with a failure of the disk. */
export const unpack = async (archive: string, options: SiteWriterOptions): Promise<Unpacked> => {
  const kind = await kindOf(archive)
  if (kind === undefined) throw new ArchiveRefused({ reason: "is neither a zip nor a tar" })
  const writer = new SiteWriter(options)
  try {
    if (kind === "zip") await unpackZip(archive, writer)
    else await unpackTar(archive, kind === "tar.gz", writer)
  } catch (cause) {
    throw faultOf(cause)
  }
  const { files, size } = writer
  if (files > 0) return { files, size }
  const where = options.root.length === 0 ? "" : ` below ${options.root.join("/")}`
  throw new ArchiveRefused({ reason: `has no file${where}` })
}
