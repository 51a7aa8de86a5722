import { crc32, deflateRawSync, gzipSync } from "node:zlib"
import { pack } from "tar-stream"

/** A file of an archive; a name that ends in a slash is a folder, a target makes a link. */
export interface Entry {
  readonly name: string
  readonly content?: string | Buffer
  readonly linkTo?: string
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

/** The fields that the header of an entry and its row in the directory share. */
const common = (content: Buffer, packed: Buffer, name: Buffer): Buffer =>
  Buffer.concat([
    ...[20, 0x800, 8, 0, 0x21].map((value) => number(value, 2)),
    ...[crc32(content), packed.length, content.length].map((value) => number(value, 4)),
    ...[name.length, 0].map((value) => number(value, 2))
  ])

/** A zip of these entries, whatever their names. */
export const zipOf = (entries: ReadonlyArray<Entry>): Uint8Array<ArrayBuffer> => {
  const [files, rows]: [Array<Buffer>, Array<Buffer>] = [[], []]
  let offset = 0
  for (const { content: given, linkTo, name: text } of entries) {
    const [name, content] = [Buffer.from(text), Buffer.from(linkTo ?? given ?? "")]
    const packed = deflateRawSync(content)
    const fields = common(content, packed, name)
    const mode = linkTo === undefined ? 0o100644 : 0o120777
    const file = Buffer.concat([number(0x04034b50, 4), fields, name, packed])
    rows.push(
      Buffer.concat([
        ...[number(0x02014b50, 4), number(0x031e, 2), fields],
        ...[0, 0, 0].map((value) => number(value, 2)),
        ...[mode * 65_536, offset].map((value) => number(value, 4)),
        name
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
