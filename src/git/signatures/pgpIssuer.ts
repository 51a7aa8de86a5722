import { unarmor } from "./commitSignature.ts"

const signatureTag = 2
const [issuerKeyId, issuerFingerprint] = [16, 33]

/** The body of the first packet if it is a signature: RFC 4880, section 4.2. */
const signatureBody = (bytes: Buffer): Buffer | undefined => {
  const [head = 0, first = 0] = bytes
  const isNew = (head & 0x40) !== 0
  if ((head & 0x80) === 0 || (isNew ? head & 0x3f : (head & 0x3c) >> 2) !== signatureTag) return undefined
  if (!isNew) return bytes.subarray([2, 3, 5, 1][head & 3])
  return bytes.subarray(first < 192 ? 2 : first < 224 ? 3 : 6)
}

/** Type and content of subpackets: section 5.2.3.1. */
function* subpackets(area: Buffer): Generator<readonly [type: number, content: Buffer]> {
  let at = 0
  while (at < area.length) {
    const first = area[at] ?? 0
    const isLong = first === 255
    const head = first < 192 ? 1 : isLong ? 5 : 2
    if (at + head > area.length) return
    const length = first < 192 ? first : isLong ? area.readUInt32BE(at + 1) : ((first - 192) << 8) + (area[at + 1] ?? 0) + 192
    const body = area.subarray(at + head, at + head + length)
    yield [(body[0] ?? 0) & 0x7f, body.subarray(1)]
    at += head + length
    if (length === 0) return
  }
}

const keyIdIn = (areas: ReadonlyArray<Buffer>): Buffer | undefined => {
  const found = areas.flatMap((area) => [...subpackets(area)])
  const fingerprint = found.find(([type]) => type === issuerFingerprint)?.[1]
  // In version 4, the key id is the last eight of 20 bytes.
  return fingerprint?.[0] === 4 ? fingerprint.subarray(-8) : found.find(([type]) => type === issuerKeyId)?.[1].subarray(0, 8)
}

/** The id of the key that an OpenPGP signature names, in 16 hexadecimal digits in upper case; undefined when it names none. */
export const pgpIssuer = (armored: string): string | undefined => {
  const body = signatureBody(unarmor(armored) ?? Buffer.alloc(0))
  if (body === undefined || body.length < 8 || body[0] !== 4) return undefined
  const hashedEnd = 6 + body.readUInt16BE(4)
  if (hashedEnd + 2 > body.length) return undefined
  const restEnd = hashedEnd + 2 + body.readUInt16BE(hashedEnd)
  const keyId = keyIdIn([body.subarray(6, hashedEnd), body.subarray(hashedEnd + 2, restEnd)])
  return keyId?.length === 8 ? keyId.toString("hex").toUpperCase() : undefined
}
