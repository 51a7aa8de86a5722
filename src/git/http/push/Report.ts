import { errorPacket, flush, PacketReader, packet, sideband } from "../packets.ts"
import { saysDiskFull, saysOutOfMemory, saysTooLarge } from "./receiving.ts"

/** Lines are kept as bytes, so that names which are no UTF-8 go back as they came. */
const bytesOf = (text: string): string => Buffer.from(text, "utf8").toString("latin1")
const textOf = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8")

/**
 * What `git receive-pack` prints, taken apart: progress goes on at once, the report on each ref is kept back until the moves are
 * recorded, and then sent with the texts of whoever refused them.
 */
export class Report {
  readonly #reader = new PacketReader()
  readonly #nested = new PacketReader()
  readonly #lines: Array<string> = []
  readonly #folder: string
  #bands: boolean | undefined
  #isOutOfMemory = false
  #isDiskFull = false
  /** Whether git gave up because of an object that is too large for its memory. */
  isTooLarge = false

  /** `folder` is where the repository lies, which is not told. */
  constructor(folder: string) {
    this.#folder = Buffer.from(`${folder}/`).toString("latin1")
  }

  /** Takes a piece of output, and answers what the client may read now. */
  take(chunk: Buffer): Buffer {
    const live: Array<Buffer> = []
    for (const content of this.#reader.take(chunk) ?? []) {
      if (content === undefined || content.length === 0) continue
      const band = content[0] ?? 0
      this.#bands ??= band <= 3
      if (!this.#bands) this.#lines.push(content.toString("latin1"))
      else if (band === 1 && content.length > 1) this.#note(content.subarray(1))
      else {
        this.isTooLarge ||= saysTooLarge(content)
        this.#isOutOfMemory ||= saysOutOfMemory(content)
        this.#isDiskFull ||= saysDiskFull(content)
        live.push(packet(this.#withoutFolder(content)))
      }
    }
    return Buffer.concat(live)
  }

  #withoutFolder(content: Buffer): Buffer {
    if (!content.includes(this.#folder, 0, "latin1")) return content
    return Buffer.from(content.toString("latin1").replaceAll(this.#folder, ""), "latin1")
  }

  #note(bytes: Buffer): void {
    for (const line of this.#nested.take(bytes) ?? []) if (line !== undefined) this.#lines.push(line.toString("latin1"))
  }

  /** What git had too little of, as far as it says so. */
  get exceeded(): "memory" | "space" | undefined {
    if (this.#isDiskFull) return "space"
    return this.#isOutOfMemory ? "memory" : undefined
  }

  /** Whether git reported on each ref, as far as the client asked for that. */
  get hasReport(): boolean {
    return this.#lines.length > 0
  }

  /** The full names of the refs that moved. */
  moved(): ReadonlySet<string> {
    const names = this.#lines.flatMap((line) => /^ok (.+?)\n?$/s.exec(line)?.[1] ?? [])
    return new Set(names.map(textOf))
  }

  /**
   * The rest of the answer. `refusals` are texts by refs: they replace those of git, and what it reported as done. `failure` is told
   * when git told nothing. `hasBands`: the client reads lines beside the report.
   */
  finish({ failure, hasBands, lines, refusals }: PushEnd): Buffer {
    const isBanded = this.#bands ?? hasBands
    if (!this.hasReport) {
      if (failure === undefined) return isBanded ? flush : Buffer.alloc(0)
      return isBanded ? Buffer.concat([sideband(3, `${failure}\n`), flush]) : errorPacket(failure)
    }
    const report = Buffer.concat([...this.#rewritten(refusals).map((line) => packet(Buffer.from(line, "latin1"))), flush])
    if (!isBanded) return report
    return Buffer.concat([...lines.map((line) => sideband(2, `${line}\n`)), sideband(1, report), flush])
  }

  #rewritten(refusals: ReadonlyMap<string, string>): ReadonlyArray<string> {
    let isDropping = false
    return this.#lines.flatMap((line) => {
      const [, ref] = /^(?:ok|ng) ([^ \n]+)/.exec(line) ?? []
      // The options of a ref follow it.
      if (ref === undefined) return isDropping && line.startsWith("option ") ? [] : [line]
      const text = refusals.get(textOf(ref))
      isDropping = text !== undefined
      return [text === undefined ? line : `ng ${ref} ${bytesOf(text)}\n`]
    })
  }
}

export interface PushEnd {
  readonly refusals: ReadonlyMap<string, string>
  readonly lines: ReadonlyArray<string>
  readonly failure: string | undefined
  readonly hasBands: boolean
}
