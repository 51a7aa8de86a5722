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

  /** The packets that a piece completes; undefined when it is none of a stream of packets. */
  take(chunk: Buffer): ReadonlyArray<Packet> | undefined {
    const packets: Array<Packet> = []
    const taken = this.takeWhile(chunk, (packet) => packets.push(packet) > 0)
    return taken === undefined ? undefined : packets
  }

  /**
   * Shows the packets that a piece completes, until it is answered that no other is wanted: then the rest of the piece is something
   * else. Answers how many bytes of the piece belong to packets; undefined when it is none of a stream of packets.
   */
  takeWhile(chunk: Buffer, isNextWanted: (packet: Packet) => boolean): number | undefined {
    const before = this.#rest.length
    const bytes = before === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    while (bytes.length - at >= headerLength) {
      const length = lengthAt(bytes, at)
      if (length === undefined) return undefined
      if (length > bytes.length - at) break
      const content = length < headerLength ? undefined : bytes.subarray(at + headerLength, at + length)
      at += Math.max(length, headerLength)
      if (isNextWanted(content)) continue
      this.#rest = Buffer.alloc(0)
      return at - before
    }
    this.#rest = Buffer.from(bytes.subarray(at))
    return chunk.length
  }
}

/** The value of a hexadecimal digit, given as its character; NaN for others. */
const digitAt = (bytes: Buffer, at: number): number => {
  const code = bytes[at] ?? 0
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : Number.NaN
}

/** The length that the packet which begins there says it has, its header included. */
const lengthAt = (bytes: Buffer, at: number): number | undefined => {
  let length = 0
  for (let index = at; index < at + headerLength; index++) length = length * 16 + digitAt(bytes, index)
  return Number.isNaN(length) ? undefined : length
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
