import { createHash } from "node:crypto"
import { deflateSync } from "node:zlib"

/** A pack of a few bytes, of which the one object says that it is a tree of 2 GiB. */
export const packBomb = (): Buffer => {
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\x01", "latin1")
  const typeAndSize = Buffer.from([0xa0, 0x80, 0x80, 0x80, 0x40])
  const body = Buffer.concat([header, typeAndSize, deflateSync(Buffer.alloc(4096))])
  return Buffer.concat([body, createHash("sha1").update(body).digest()])
}
