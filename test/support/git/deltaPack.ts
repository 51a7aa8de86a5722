import { createHash } from "node:crypto"
import { deflateSync } from "node:zlib"

/** A size as deltas have it: seven bits a byte, the lowest first. */
const varint = (value: number): Buffer => {
  const bytes: Array<number> = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left])
    bytes.push((left % 128) + 128)
  }
}

/** The head of an object in a pack: its type and size. */
const head = (type: number, size: number): Buffer => {
  const rest = Math.floor(size / 16)
  const first = (type << 4) | (size % 16)
  return rest === 0 ? Buffer.from([first]) : Buffer.concat([Buffer.from([first | 128]), varint(rest)])
}

const objectId = (type: string, content: Buffer): Buffer =>
  createHash("sha1").update(`${type} ${content.length}\0`).update(content).digest()

const maxCopy = 0xffff00

/** A delta that copies all of its base, and adds a letter. */
const appendingDelta = (baseSize: number): Buffer => {
  const copies = Array.from({ length: Math.ceil(baseSize / maxCopy) }, (_, index) => {
    const from = index * maxCopy
    const offset = Buffer.alloc(4)
    offset.writeUInt32LE(from)
    const size = Buffer.alloc(4)
    size.writeUInt32LE(Math.min(maxCopy, baseSize - from))
    return Buffer.concat([Buffer.from([0xff]), offset, size.subarray(0, 3)])
  })
  return Buffer.concat([varint(baseSize), varint(baseSize + 1), ...copies, Buffer.from([1, 0x78])])
}

/**
 * A pack with a file of zeros, and the same file with a letter behind as a delta of it: some hundred kilobytes that stand for twice as many
 * bytes as are given. A commit has both; its id is `commit`.
 */
export const deltaPack = (bytes: number): { readonly pack: Buffer; readonly commit: string } => {
  const zeros = Buffer.alloc(bytes)
  const base = objectId("blob", zeros)
  const made = createHash("sha1")
    .update(`blob ${bytes + 1}\0`)
    .update(zeros)
    .update("x")
    .digest()
  const entry = (name: string, id: Buffer) => Buffer.concat([Buffer.from(`100644 ${name}\0`), id])
  const tree = Buffer.concat([entry("base", base), entry("made", made)])
  const who = "Ann <ann@example.com> 1700000000 +0000"
  const commit = Buffer.from(`tree ${objectId("tree", tree).toString("hex")}\nauthor ${who}\ncommitter ${who}\n\nzeros\n`)
  const delta = appendingDelta(bytes)
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\x04", "latin1")
  const body = Buffer.concat([
    header,
    ...[head(1, commit.length), deflateSync(commit)],
    ...[head(2, tree.length), deflateSync(tree)],
    ...[head(3, bytes), deflateSync(zeros, { level: 9 })],
    ...[head(7, delta.length), base, deflateSync(delta)]
  ])
  return {
    pack: Buffer.concat([body, createHash("sha1").update(body).digest()]),
    commit: objectId("commit", commit).toString("hex")
  }
}

/**
 * A pack with a file of noise, and so many more that repeat its bytes in another order, each as a delta of it: about `noise.length` bytes that
 * stand for `count * bytes`, which no compression finds repetitions in. `bytes` is a multiple of a block. A commit has the first; its id is
 * `commit`.
 */
export const repeatingPack = (
  noise: Buffer,
  count: number,
  bytes: number
): { readonly pack: Buffer; readonly commit: string } => {
  const base = objectId("blob", noise)
  const block = 0x4000
  const blocks = Math.floor(noise.length / block)
  const delta = (index: number) => {
    const copies = Array.from({ length: bytes / block }, (_, at) => {
      const offset = Buffer.alloc(4)
      offset.writeUInt32LE(((at * (index + 1) + index) % blocks) * block)
      // The size of a block takes two bytes, of which the lower is 0.
      return Buffer.concat([Buffer.from([0x80 | 0x0f | 0x20]), offset, Buffer.from([block >> 8])])
    })
    const ending = Buffer.from(`${index}\n`)
    return Buffer.concat([varint(noise.length), varint(bytes + ending.length), ...copies, Buffer.from([ending.length]), ending])
  }
  const tree = Buffer.concat([Buffer.from("100644 noise\0"), base])
  const who = "Ann <ann@example.com> 1700000000 +0000"
  const commit = Buffer.from(`tree ${objectId("tree", tree).toString("hex")}\nauthor ${who}\ncommitter ${who}\n\nnoise\n`)
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1")
  header.writeUInt32BE(count + 3, 8)
  const deltas = Array.from({ length: count }, (_, index) => delta(index))
  const body = Buffer.concat([
    header,
    ...[head(1, commit.length), deflateSync(commit)],
    ...[head(2, tree.length), deflateSync(tree)],
    ...[head(3, noise.length), deflateSync(noise)],
    ...deltas.flatMap((one) => [head(7, one.length), base, deflateSync(one)])
  ])
  return {
    pack: Buffer.concat([body, createHash("sha1").update(body).digest()]),
    commit: objectId("commit", commit).toString("hex")
  }
}
