import { decodePath } from "../objects/decodeText.ts"

/** One changed file as `git` told it. A change of type (such as file to symbolic link) is two: a removal, then an addition. */
export interface Patch {
  readonly oldPath: string
  /** The new path; for a removed file it equals `oldPath`, and for a new file both are equal. */
  readonly newPath: string
  /** The mode is octal without padding, and "0" where the side does not exist. */
  readonly aMode: string
  readonly bMode: string
  /** The id of the blob (of the commit, for a submodule); all zeros where the side does not exist. */
  readonly aId: string
  readonly bId: string
  /**
   * The text from the first `@@` on, or `git`'s notice about a binary file; empty when nothing but names or modes changed, and beyond
   * the size to keep.
   */
  readonly text: Buffer
  /** The number of bytes of the text before anything was dropped. */
  readonly bytes: number
  /** The number of lines of content: those that begin with `@@` do not count, the notice about a binary file does. */
  readonly lines: number
  readonly additions: number
  readonly deletions: number
  /** `git` showed no lines because it takes the file for binary. */
  readonly isBinary: boolean
}

interface Change {
  readonly aMode: string
  readonly bMode: string
  readonly aId: string
  readonly bId: string
  readonly oldPath: string
  readonly newPath: string
}

const [newline, at, plus, minus, letterD] = [10, 64, 43, 45, 100]
const sectionStart = "diff --git "
const binaryStart = "Binary files "
const nothing = Buffer.alloc(0)
const unpadded = (mode: string) => mode.replace(/^0+(?=.)/, "")
const zeros = (id: string) => "0".repeat(id.length)
const kind = (mode: string) => mode.slice(0, -4)

/** Both halves of a change of type; otherwise the change itself. */
const halves = (change: Change): ReadonlyArray<Change> =>
  change.aMode === "0" || change.bMode === "0" || kind(change.aMode) === kind(change.bMode)
    ? [change]
    : [
        { ...change, bMode: "0", bId: zeros(change.bId) },
        { ...change, aMode: "0", aId: zeros(change.aId) }
      ]

/**
 * Reads the output of `git diff-tree -r --raw -z --patch --abbrev=<all>` as it comes. The list in front tells names and modes, so nothing is
 * read from the headers of the patches. At most `#maxPatchBytes` bytes of a patch are held, and of a longer one nothing; of the list, about the
 * first `#maxEntries` entries.
 */
export class DiffParser {
  readonly #maxPatchBytes: number
  readonly #maxEntries: number
  #carry: Buffer = nothing
  #isListRead = false
  /** The parts of the current entry of the list that were read so far. */
  #entry: ReadonlyArray<string> = []
  readonly #changes: Array<Change> = []
  #total = 0
  #next = 0
  #section: { readonly change: Change; pieces: Array<Buffer> } | undefined
  #isInHunk = false
  #isMidLine = false
  #isBinary = false
  #bytes = 0
  #lines = 0
  #additions = 0
  #deletions = 0

  constructor(maxPatchBytes: number, maxEntries = Number.POSITIVE_INFINITY) {
    this.#maxPatchBytes = maxPatchBytes
    this.#maxEntries = maxEntries
  }

  /** The number of entries of the whole diff, known once the first patch begins. */
  get total(): number {
    return this.#total
  }

  /** The patches that end in this piece. */
  push(chunk: Buffer): ReadonlyArray<Patch> {
    const data = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk])
    this.#carry = nothing
    const done: Array<Patch> = []
    let from = this.#isListRead ? 0 : this.#readList(data)
    if (!this.#isListRead) {
      this.#carry = data.subarray(from)
      return done
    }
    let unread = from
    while (from < data.length) {
      const end = data.indexOf(newline, from)
      // There is enough of an unfinished line to tell what it is, and the rest may be long.
      if (end === -1 && !(this.#isMidLine || (this.#isInHunk && data.length - from >= sectionStart.length))) break
      if (!this.#isMidLine) {
        const starts = this.#isSectionStart(data, from)
        if (starts || !this.#isInHunk) {
          this.#keepPiece(data.subarray(unread, from))
          unread = from
        }
        if (starts) this.#finish(done)
        this.#readLineStart(data, from)
      }
      const to = end === -1 ? data.length : end + 1
      if (!this.#isInHunk && !this.#isBinary) unread = to
      this.#isMidLine = end === -1
      from = to
    }
    this.#keepPiece(data.subarray(unread, from))
    this.#carry = data.subarray(from)
    return done
  }

  /** The patches that were left; nothing can be pushed after it. */
  end(): ReadonlyArray<Patch> {
    const done: Array<Patch> = []
    this.#finish(done)
    while (this.#section !== undefined) this.#finish(done)
    return done
  }

  /** Reads the entries that are complete; answers where the rest begins. */
  #readList(data: Buffer): number {
    let from = 0
    for (let end = data.indexOf(0, from); end !== -1; end = data.indexOf(0, from)) {
      const word = data.subarray(from, end)
      from = end + 1
      if (word.length === 0) {
        this.#isListRead = true
        break
      }
      this.#entry = [...this.#entry, this.#entry.length === 0 ? word.toString("latin1") : decodePath(word)]
      const [head = "", oldPath = "", newPath = oldPath] = this.#entry
      const [aMode = "", bMode = "", aId = "", bId = "", status = ""] = head.slice(1).split(" ")
      if (this.#entry.length < (/^[RC]/.test(status) ? 3 : 2)) continue
      this.#entry = []
      const changes = halves({ aMode: unpadded(aMode), bMode: unpadded(bMode), aId, bId, oldPath, newPath })
      this.#total += changes.length
      if (this.#changes.length < this.#maxEntries) this.#changes.push(...changes)
    }
    return from
  }

  /** A line of content never begins with a letter. */
  #isSectionStart(data: Buffer, from: number): boolean {
    return data[from] === letterD && data.toString("latin1", from, from + sectionStart.length) === sectionStart
  }

  #readLineStart(data: Buffer, from: number): void {
    const first = data[from]
    if (!this.#isInHunk) {
      this.#isInHunk = first === at
      this.#isBinary = data.toString("latin1", from, from + binaryStart.length) === binaryStart
      if (this.#isBinary) this.#lines++
    } else if (first !== at) {
      this.#lines++
      if (first === plus) this.#additions++
      else if (first === minus) this.#deletions++
    }
  }

  #keepPiece(piece: Buffer): void {
    if (piece.length === 0) return
    this.#bytes += piece.length
    if (this.#section === undefined) return
    if (this.#bytes <= this.#maxPatchBytes) this.#section.pieces.push(piece)
    else this.#section.pieces = []
  }

  /** Ends the patch that was being read, if any, and begins the next. */
  #finish(done: Array<Patch>): void {
    if (this.#section !== undefined) {
      const { change, pieces } = this.#section
      done.push({
        ...change,
        text: Buffer.concat(pieces),
        bytes: this.#bytes,
        lines: this.#lines,
        additions: this.#additions,
        deletions: this.#deletions,
        isBinary: this.#isBinary
      })
    }
    const change = this.#changes[this.#next++]
    this.#section = change === undefined ? undefined : { change, pieces: [] }
    this.#isInHunk = false
    this.#isBinary = false
    this.#bytes = this.#lines = this.#additions = this.#deletions = 0
  }
}
