/** Packets of git's protocol: four hexadecimal digits of length, then the content. A length of 0 is a flush. */

const headerLength = 4
/** The highest number of bytes of one packet behind the number of its band. */
const maxBandBytes = 65_515

export const flush = Buffer.from("0000")

export const packet = (content: string | Uint8Array): Buffer => {
  const bytes = typeof content === "string" ? Buffer.from(content) : content
  return Buffer.concat([Buffer.from((bytes.length + headerLength).toString(16).padStart(4, "0")), bytes])
}

/** The bands: 1 for data, 2 for text that the client shows as `remote: …`, 3 for the text of a fatal error. */
export type Band = 1 | 2 | 3

/** Encodes bytes for one of the three bands that share a connection. */
export const sideband = (band: Band, content: string | Uint8Array): Buffer => {
  const bytes = typeof content === "string" ? Buffer.from(content) : content
  const packets: Array<Buffer> = []
  for (let at = 0; at < bytes.length; at += maxBandBytes)
    packets.push(packet(Buffer.concat([Buffer.from([band]), bytes.subarray(at, at + maxBandBytes)])))
  return Buffer.concat(packets)
}

/** The first thing in an answer: the client gives up with this text. */
export const errorPacket = (text: string): Buffer => packet(`ERR ${text}\n`)

/** The content of a packet; undefined for a flush and the other packets without content. */
export type Packet = Buffer | undefined

/** Cuts a stream of packets, given in pieces of any size. */
export class PacketReader {
  #rest: Buffer = Buffer.alloc(0)

  /** The lowest number of bytes that are missing of the current packet. */
  get missing(): number {
    const length = this.#rest.length < headerLength ? headerLength : (lengthAt(this.#rest) ?? headerLength)
    return length - this.#rest.length
  }

  /** The packets that a piece completes; undefined when it is none of a stream of packets. */
  take(chunk: Buffer): ReadonlyArray<Packet> | undefined {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const packets: Array<Packet> = []
    while (bytes.length >= headerLength) {
      const length = lengthAt(bytes)
      if (length === undefined) return undefined
      if (length > bytes.length) break
      packets.push(length < headerLength ? undefined : bytes.subarray(headerLength, length))
      bytes = bytes.subarray(Math.max(length, headerLength))
    }
    this.#rest = Buffer.from(bytes)
    return packets
  }
}

/** The length that a packet says it has, its header included. */
const lengthAt = (bytes: Buffer): number | undefined => {
  const digits = bytes.toString("latin1", 0, headerLength)
  return /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}

/** Follows a stream of packets without keeping it, to know whether a packet of one's own may be put behind what has passed. */
export class PacketBoundary {
  #left = 0
  #header = ""

  get isBetween(): boolean {
    return this.#left === 0 && this.#header === ""
  }

  pass(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, chunk.length - at)
        this.#left -= skipped
        at += skipped
        continue
      }
      const missing = headerLength - this.#header.length
      this.#header += chunk.toString("latin1", at, at + missing)
      at += missing
      if (this.#header.length < headerLength) return
      const length = Number.parseInt(this.#header, 16)
      this.#left = Math.max(0, (Number.isNaN(length) ? Number.POSITIVE_INFINITY : length) - headerLength)
      this.#header = ""
    }
  }
}
