import type { KeySample } from "./keySamples.ts"

/** The bytes of a key. */
export const blobOf = ({ text }: KeySample): Buffer => Buffer.from(text.split(" ")[1] ?? "", "base64")

/** A blob of these fields, in SSH's wire form. */
export const withFields = (...fields: ReadonlyArray<string | Buffer>): Buffer =>
  Buffer.concat(
    fields.flatMap((field) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(Buffer.from(field).length)
      return [length, Buffer.from(field)]
    })
  )

export const lineOf = (algorithm: string, blob: Buffer): string => `${algorithm} ${blob.toString("base64")}`
