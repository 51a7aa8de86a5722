/** This many bytes of content always fit in one block of 900,000: the encoding of runs, which comes first, adds a quarter at most. */
export const blockBytes = 719_900

/** A stream of one such block has at most this many bytes. */
export const compressedBytes = Math.ceil(blockBytes * 1.01) + 600

const headerBits = 32
const footerBits = 48 + 32
const footer = 0x177245385090n

/** The value of up to 48 bits that begin at the bit `at`. */
const bitsAt = (bytes: Uint8Array, at: number, count: number): bigint => {
  let value = 0n
  for (let bit = at; bit < at + count; bit++) value = (value << 1n) | BigInt(((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1)
  return value
}

/** The bit at which the block ends: its stream ends with the footer, a checksum and up to seven bits that fill the last byte. */
const blockEnd = (stream: Uint8Array): number => {
  for (let padding = 0; padding < 8; padding++) {
    const end = stream.length * 8 - padding - footerBits
    if (bitsAt(stream, end, 48) === footer) return end
  }
  throw new Error("Not a bzip2 stream of one block")
}

/**
 * Makes one bzip2 stream out of streams of one block each, so that programs which stop after the first stream read it all. Blocks begin at
 * any bit: they are shifted to where the one before ends.
 */
export class Bzip2Joiner {
  /** Bits that do not fill a byte yet, the first one highest. */
  #bits = 0
  #bitCount = 0
  #checksum = 0
  #isBegun = false

  /** What the next stream adds. */
  add(stream: Uint8Array): Uint8Array {
    const end = blockEnd(stream)
    // Behind the header stand 48 bits that mark a block, then its checksum.
    const checksum = Number(bitsAt(stream, headerBits + 48, 32))
    this.#checksum = (((this.#checksum << 1) | (this.#checksum >>> 31)) ^ checksum) >>> 0
    const head = this.#isBegun ? [] : stream.subarray(0, headerBits / 8)
    this.#isBegun = true
    return Buffer.concat([Uint8Array.from(head), this.#append(stream, headerBits, end)])
  }

  /** The end of the whole; of one without content, all of it. */
  end(): Uint8Array {
    const last = new Uint8Array(11)
    const view = new DataView(last.buffer)
    view.setBigUint64(0, (footer << 16n) | BigInt(this.#checksum >>> 16))
    view.setUint16(8, this.#checksum & 0xffff)
    const padding = (8 - ((this.#bitCount + footerBits) % 8)) % 8
    const tail = this.#append(last, 0, footerBits + padding)
    return this.#isBegun ? tail : Buffer.concat([Buffer.from("BZh9"), tail])
  }

  /** Takes bits up to `end`, from a bit that begins a byte; answers the bytes that are complete. */
  #append(source: Uint8Array, begin: number, end: number): Uint8Array {
    const whole = Math.floor((end - begin) / 8)
    const left = (end - begin) % 8
    const first = begin / 8
    const shift = this.#bitCount
    const out = new Uint8Array(whole + 1)
    let held = this.#bits
    for (let index = 0; index < whole; index++) {
      const byte = source[first + index] ?? 0
      out[index] = held | (byte >> shift)
      held = (byte << (8 - shift)) & 0xff
    }
    // The rest of both: fewer than 16 bits.
    const rest = (held << 8) | ((((source[first + whole] ?? 0) & (0xff << (8 - left))) << 8) >> shift)
    const count = shift + left
    out[whole] = rest >> 8
    this.#bits = count >= 8 ? rest & 0xff : (rest >> 8) & 0xff
    this.#bitCount = count % 8
    return out.subarray(0, count >= 8 ? whole + 1 : whole)
  }
}
