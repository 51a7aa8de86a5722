import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { crc32, createGunzip } from "node:zlib"
import { extract } from "tar-stream"
import { type Entry, openPromise, type ZipFile } from "yauzl"
import { ArchiveRefused, SiteWriter, type SiteWriterOptions } from "./SiteWriter.ts"

/** What was unpacked. */
export interface Unpacked {
  readonly files: number
  /** The bytes of all files. */
  readonly size: number
}

/** The type of a file in the mode of an entry that was made where there are such: a file, a folder, or none. */
const typeMask = 0o170000
const plainTypes: ReadonlySet<number> = new Set([0, 0o040000, 0o100000])

const isPlain = ({ externalFileAttributes }: Entry): boolean => plainTypes.has((externalFileAttributes >>> 16) & typeMask)

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
async function* checked(content: AsyncIterable<Buffer>, { crc32: expected, fileName }: Entry): AsyncGenerator<Buffer> {
  let checksum = 0
  for await (const piece of content) {
    checksum = crc32(piece, checksum)
    yield piece
  }
  if (checksum !== expected) throw new ArchiveRefused({ reason: `has a damaged entry: ${fileName.slice(0, 200)}` })
}

/** So many files of a zip are written at the same time: each waits for the disk. */
const concurrency = 8

const unpackZip = async (archive: string, writer: SiteWriter): Promise<void> => {
  const zip = await openPromise(archive, { strictFileNames: false, autoClose: false })
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
      const { fileName } = entry
      if (!isPlain(entry)) writer.refuse(fileName)
      const path = writer.pathOf(fileName)
      if (path === undefined || fileName.endsWith("/")) continue
      writer.claim(fileName, path)
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

const unpackTar = async (archive: string, isPacked: boolean, writer: SiteWriter): Promise<void> => {
  const entries = extract()
  const within = (tar: AsyncIterable<Buffer>) => writer.within(tar)
  const reading = isPacked
    ? pipeline(createReadStream(archive), createGunzip(), within, entries)
    : pipeline(createReadStream(archive), within, entries)
  const writing = async () => {
    for await (const entry of entries) {
      const { name, type } = entry.header
      if (!tarTypes.has(type)) writer.refuse(name)
      const path = writer.pathOf(name)
      // Its types do not say that it gives buffers.
      const content = entry as AsyncIterable<Buffer>
      if (path !== undefined && type !== "directory") await writer.write(path, content)
      else await writer.skip(content)
    }
  }
  const outcomes = await Promise.allSettled([writing(), reading])
  const causes = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []))
  // What stops one of them ends the other, too, with an error that says less.
  if (causes.length > 0) throw causes.find(isTelling) ?? causes.at(-1)
}

type Kind = "zip" | "tar" | "tar.gz"

/** What an archive is, by its first bytes; undefined for anything else. */
const kindOf = async (archive: string): Promise<Kind | undefined> => {
  await using file = await open(archive)
  const head = Buffer.alloc(512)
  await file.read(head, 0, head.length, 0)
  if (head.subarray(0, 2).equals(Buffer.from("PK"))) return "zip"
  if (head.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) return "tar.gz"
  return head.toString("latin1", 257, 262) === "ustar" ? "tar" : undefined
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
