import { type Packet, PacketReader } from "../packets.ts"
import { BodyRefused } from "../requestBody.ts"

const tooLong = new BodyRefused({ status: 413, text: "The push names too many refs." })
const broken = new BodyRefused({ status: 400, text: "The push is not in the form that git knows." })

const packSignature = "PACK"
/** Signature, version, number of objects. */
const packHeaderBytes = 12

/**
 * Looks at the beginning of a push: refs, then options, each list ended by a flush, which git would keep in memory whatever their
 * number; and at what the pack behind them says of itself. The objects pass unseen.
 */
export class CommandReader {
  readonly #maxBytes: number
  readonly #reader = new PacketReader()
  #size = 0
  #listsLeft = 1
  #isInCommands = true
  #isFirst = true
  #hasPack = false
  #packHeader: Buffer = Buffer.alloc(0)
  /** Whether the client reads errors and progress beside the report. */
  hasBands = false
  /** Whether the client wants all refs to move or none. */
  isAtomic = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Whether all of it has come in. */
  get isRead(): boolean {
    return this.#listsLeft === 0
  }

  /** Whether all has come in that is looked at: a push that only removes refs has no pack. */
  get isComplete(): boolean {
    return this.isRead && (!this.#hasPack || this.#packHeader.length === packHeaderBytes)
  }

  /** Where the pack begins, once all in front of it has come in. */
  get packStart(): number {
    return this.#size
  }

  /** The number of objects that the pack announces; 0 where there is none. */
  get objects(): number {
    const isPack = this.#packHeader.length === packHeaderBytes && this.#packHeader.toString("latin1", 0, 4) === packSignature
    return isPack ? this.#packHeader.readUInt32BE(8) : 0
  }

  inspect(chunk: Buffer): BodyRefused | undefined {
    let at = 0
    if (!this.isRead) {
      const taken = this.#reader.takeWhile(chunk, (packet) => this.#see(packet))
      if (taken === undefined) return broken
      at = taken
      this.#size += taken
      if (this.#size > this.#maxBytes) return tooLong
    }
    const missing = packHeaderBytes - this.#packHeader.length
    if (this.isRead && missing > 0) this.#packHeader = Buffer.concat([this.#packHeader, chunk.subarray(at, at + missing)])
    return undefined
  }

  /** Whether another packet is to follow. */
  #see(content: Packet): boolean {
    if (content === undefined) {
      this.#listsLeft--
      this.#isInCommands = false
    } else if (this.#isInCommands && (this.#isFirst || !this.#hasPack)) this.#read(content.toString("latin1"))
    return !this.isRead
  }

  #read(text: string): void {
    const [command = "", list] = text.split("\0")
    this.#hasPack ||= !/^[^ ]* 0+ /.test(command)
    if (!this.#isFirst || list === undefined) return
    this.#isFirst = false
    const capabilities = list.trim().split(" ")
    this.hasBands = capabilities.includes("side-band-64k")
    this.isAtomic = capabilities.includes("atomic")
    if (capabilities.includes("push-options")) this.#listsLeft++
  }
}
