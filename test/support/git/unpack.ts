import { crc32, gunzipSync, inflateRawSync } from "node:zlib"
import BZip2 from "bzip2-wasm"
import type { ArchiveFormat } from "#src/git/archive/names.ts"

/** One entry of an archive. */
export interface Unpacked {
  /** Of a directory with a slash at its end. */
  readonly path: string
  /** Type and permissions, in octal: `100644`, `120000`. */
  readonly mode: string
  /** Seconds since 1970. */
  readonly time: number
  /** In Latin-1; of a symbolic link its target. */
  readonly content: string
}

export interface Archive {
  /** What it says about itself. */
  readonly comment: string
  readonly entries: ReadonlyArray<Unpacked>
}

const library = new BZip2()
/** The library ends the process at any error that nobody handles, which is for the tests to tell. */
const initialised = async () => {
  const events = ["uncaughtException", "unhandledRejection"] as const
  const before = events.map((event) => new Set<unknown>(process.listeners(event as "uncaughtException")))
  await library.init()
  events.forEach((event, index) => {
    for (const listener of process.listeners(event as "uncaughtException")) {
      if (before[index]?.has(listener) === false) process.off(event, listener)
    }
  })
}
/** The content of one bzip2 stream. `most`: bytes at most. */
export const unpackBzip2 = async (stream: Uint8Array, most = 4 * 1024 * 1024): Promise<Buffer> => {
  await initialised()
  return Buffer.from(library.decompress(stream, most))
}

const octal = (bytes: Buffer) => Number.parseInt(bytes.toString("latin1"), 8)
const text = (bytes: Buffer) => bytes.toString("utf8").replace(/\0.*$/s, "")

/** Records `<length> <name>=<value>\n` of an extended header. */
const recordsOf = (bytes: Buffer): Readonly<Record<string, string>> => {
  const records: Record<string, string> = {}
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(bytes.toString("latin1", at, at + 20), 10)
    const record = bytes.toString("utf8", bytes.indexOf(32, at) + 1, at + length - 1)
    const equals = record.indexOf("=")
    records[record.slice(0, equals)] = record.slice(equals + 1)
    at += length
  }
  return records
}

const kinds: Readonly<Record<string, string>> = { "0": "100", "2": "120", "5": "040" }

/** Reads POSIX (pax) archives. Fails where a checksum does not fit. */
const unpackTar = (archive: Buffer): Archive => {
  const entries: Array<Unpacked> = []
  let comment = ""
  let extended: Readonly<Record<string, string>> = {}
  for (let at = 0; at < archive.length && archive[at] !== 0; ) {
    const header = archive.subarray(at, at + 512)
    const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0)
    if (sum !== octal(header.subarray(148, 156))) throw new Error(`The header at ${at} is damaged`)
    const type = header.toString("latin1", 156, 157)
    const size = Number(extended.size ?? octal(header.subarray(124, 136)))
    const content = archive.subarray(at + 512, at + 512 + size)
    at += 512 + Math.ceil(size / 512) * 512
    if (type === "g") comment = recordsOf(content).comment ?? ""
    if (type === "x") extended = recordsOf(content)
    const kind = kinds[type]
    if (kind === undefined) continue
    const prefix = text(header.subarray(345, 500))
    const name = text(header.subarray(0, 100))
    entries.push({
      path: extended.path ?? (prefix === "" ? name : `${prefix}/${name}`),
      mode: `${kind}${(octal(header.subarray(100, 108)) & 0o777).toString(8).padStart(3, "0")}`,
      time: octal(header.subarray(136, 148)),
      content: type === "2" ? (extended.linkpath ?? text(header.subarray(157, 257))) : content.toString("latin1")
    })
    extended = {}
  }
  return { comment, entries }
}

/** The time in an extra field of a central header; its block is marked `UT`. */
const extraTime = (extra: Buffer): number => {
  for (let at = 0; at < extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.toString("latin1", at, at + 2) === "UT") return extra.readInt32LE(at + 5)
  }
  return Number.NaN
}

/** Reads by the central directory at the end. Fails where a checksum does not fit. */
const unpackZip = (archive: Buffer): Archive => {
  const end = archive.lastIndexOf("PK\x05\x06", undefined, "latin1")
  const entries: Array<Unpacked> = []
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.toString("latin1", at, at + 4) !== "PK\x01\x02") throw new Error(`No entry at ${at}`)
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field))
    const [nameEnd, size] = [at + 46 + (nameLength ?? 0), archive.readUInt32LE(at + 20)]
    const path = archive.toString("utf8", at + 46, nameEnd)
    const bits = archive.readUInt16LE(at + 40)
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const stored = archive.subarray(start, start + size)
    const content = archive.readUInt16LE(at + 10) === 0 ? stored : inflateRawSync(stored)
    if (crc32(content) !== archive.readUInt32LE(at + 16)) throw new Error(`${path} is damaged`)
    entries.push({
      path,
      mode: bits.toString(8).padStart(6, "0"),
      time: extraTime(archive.subarray(nameEnd, nameEnd + (extraLength ?? 0))),
      content: content.toString("latin1")
    })
    at = nameEnd + (extraLength ?? 0) + (commentLength ?? 0)
  }
  return { comment: archive.toString("latin1", end + 22), entries }
}

/** What is in an archive, read without programs that a machine may lack. */
export const unpack = async (format: ArchiveFormat, archive: Buffer): Promise<Archive> => {
  if (format === "zip") return unpackZip(archive)
  if (format === "tar.gz") return unpackTar(gunzipSync(archive))
  return unpackTar(format === "tar.bz2" ? await unpackBzip2(archive) : archive)
}

/** What is in an archive but directories in which something is. */
export const leavesOf = ({ entries }: Archive): ReadonlyArray<Unpacked> => {
  const full = new Set(entries.flatMap(({ path }) => /^(.+\/)[^/]+\/?$/s.exec(path)?.[1] ?? []))
  return entries.filter(({ path }) => !full.has(path))
}
