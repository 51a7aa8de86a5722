import { createHash } from "node:crypto"
import { jsonTexts } from "../../kernel/json/jsonTexts.ts"

/** Encodes a plain value as `JSON.stringify` does, with the SHA-256 of its bytes in hexadecimal; it pauses every few milliseconds. */
export function* jsonBytes(body: unknown): Generator<void, { readonly bytes: Buffer; readonly sha256: string }, void> {
  const hash = createHash("sha256")
  const pieces: Array<Buffer> = []
  for (const text of jsonTexts(body)) {
    const piece = Buffer.from(text)
    hash.update(piece)
    pieces.push(piece)
    yield
  }
  return { bytes: Buffer.concat(pieces), sha256: hash.digest("hex") }
}
