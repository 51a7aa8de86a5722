import { crc32, deflateRawSync, gzipSync } from "node:zlib"
import { pack } from "tar-stream"

/** A file of an archive; a name that ends in a slash is a folder, a target makes a link. */
export interface Entry {
  readonly name: string
  readonly content?: string | Buffer
  readonly linkTo?: string
  /** In a zip: the bytes of its name, its flags, and the extra fields of its header; a name is UTF-8 and flagged so where nothing is said. */
  readonly nameBytes?: Buffer
  readonly flags?: number
  readonly extra?: Buffer
  /** More fields of its header, in a tar. */
  readonly pax?: Readonly<Record<string, string>>
}

export const entriesOf = (files: Readonly<Record<string, string>>): ReadonlyArray<Entry> =>
  Object.entries(files).map(([name, content]) => ({ name, content }))

const number = (value: number, bytes: 2 | 4): Buffer => {
  const field = Buffer.alloc(bytes)
  field.writeUIntLE(value, 0, bytes)
  return field
}

/** What the header of an entry and its row in the directory share. */
interface Common {
  readonly content: Buffer
  readonly packed: Buffer
  readonly name: Buffer
  readonly flags: number
  readonly extra: Buffer
}

const common = ({ content, extra, flags, name, packed }: Common): Buffer =>
  Buffer.concat([
    ...[20, flags, 8, 0, 0x21].map((value) => number(value, 2)),
    ...[crc32(content), packed.length, content.length].map((value) => number(value, 4)),
    ...[name.length, extra.length].map((value) => number(value, 2))
  ])

/** The extra field that has the name of an entry once more, in UTF-8. */
export const unicodeName = (nameBytes: Buffer, name: string): Buffer => {
  const bytes = Buffer.from(name)
  return Buffer.concat([number(0x7075, 2), number(5 + bytes.length, 2), Buffer.of(1), number(crc32(nameBytes), 4), bytes])
}

/** A zip of these entries, whatever their names. */
export const zipOf = (entries: ReadonlyArray<Entry>): Uint8Array<ArrayBuffer> => {
  const [files, rows]: [Array<Buffer>, Array<Buffer>] = [[], []]
  let offset = 0
  for (const { content: given, extra = Buffer.alloc(0), flags = 0x800, linkTo, name: text, nameBytes } of entries) {
    const [name, content] = [nameBytes ?? Buffer.from(text), Buffer.from(linkTo ?? given ?? "")]
    const packed = deflateRawSync(content)
    const fields = common({ content, packed, name, flags, extra })
    const mode = linkTo === undefined ? 0o100644 : 0o120777
    const file = Buffer.concat([number(0x04034b50, 4), fields, name, extra, packed])
    rows.push(
      Buffer.concat([
        ...[number(0x02014b50, 4), number(0x031e, 2), fields],
        ...[0, 0, 0].map((value) => number(value, 2)),
        ...[mode * 65_536, offset].map((value) => number(value, 4)),
        name,
        extra
      ])
    )
    files.push(file)
    offset += file.length
  }
  const directory = Buffer.concat(rows)
  const end = Buffer.concat([
    number(0x06054b50, 4),
    ...[0, 0, entries.length, entries.length].map((value) => number(value, 2)),
    ...[directory.length, offset].map((value) => number(value, 4)),
    number(0, 2)
  ])
  return new Uint8Array(Buffer.concat([...files, directory, end]))
}

/** A tar of these entries. */
export const tarOf = async (entries: ReadonlyArray<Entry>): Promise<Uint8Array<ArrayBuffer>> => {
  const archive = pack()
  for (const { content = "", linkTo, name, pax } of entries) {
    if (linkTo !== undefined) archive.entry({ name, type: "symlink", linkname: linkTo })
    else if (name.endsWith("/")) archive.entry({ name, type: "directory" })
    else archive.entry({ name, ...(pax && { pax }) }, content)
  }
  archive.finalize()
  const pieces: Array<Buffer> = []
  for await (const piece of archive as AsyncIterable<Buffer>) pieces.push(piece)
  return new Uint8Array(Buffer.concat(pieces))
}

export const packed = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(gzipSync(bytes))

/** The same tar with another header of its first entry, whose checksum is right again. */
export const withHeader = (tar: Uint8Array, change: (header: Buffer) => void): Uint8Array<ArrayBuffer> => {
  const changed = Buffer.from(tar)
  const header = changed.subarray(0, 512)
  change(header)
  header.fill(" ", 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148)
  return new Uint8Array(changed)
}

/** The same archive with so many zeros behind it. */
export const filledUp = (archive: Uint8Array, zeros: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat([archive, Buffer.alloc(zeros)]))
