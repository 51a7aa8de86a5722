import { createHash } from "node:crypto"

const bytes = 20
/** The white space that git leaves out. */
const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 10 || byte === 9 || byte === 13

/** The bytes of a text without its white space. */
const withoutSpace = (text: string): Buffer => {
  const all = Buffer.from(text, "latin1")
  let length = 0
  for (const byte of all) if (!isSpace(byte)) all[length++] = byte
  return all.subarray(0, length)
}

/** `@@ -<line>[,<count>] +<line>[,<count>]`. */
const hunkHeader = /^@@ -\d*(?:,(\d+))? \+\d*(?:,(\d+))?/

/** How many lines of a hunk its header says there are, before and after the change. */
const countsOf = (line: string): readonly [before: number, after: number] => {
  const [, before = 1, after = 1] = hunkHeader.exec(line) ?? []
  return [Number(before), Number(after)]
}

/** The sum of the ids of files, so that their order does not matter. */
class Sum {
  readonly #result = Buffer.alloc(bytes)
  /** What belongs to the id of the current file. */
  #lines: Array<string> = []
  /** Whether there was any line. */
  isEmpty = true

  take(line: string): void {
    this.isEmpty = false
    // Git's lines end where they hold a zero.
    this.#lines.push(line.includes("\0") ? line.slice(0, line.indexOf("\0")) : line)
  }

  takeIds(ids: ReadonlyArray<string>): void {
    this.#lines.push(...ids)
  }

  /** Ends a file: adds its id. */
  flush(): void {
    const id = createHash("sha1")
      .update(withoutSpace(this.#lines.join("")))
      .digest()
    this.#lines = []
    let carry = 0
    for (let index = 0; index < bytes; index++) {
      carry += (this.#result[index] ?? 0) + (id[index] ?? 0)
      this.#result[index] = carry & 0xff
      carry >>= 8
    }
  }

  end(): string {
    this.flush()
    return this.#result.toString("hex")
  }
}

const isMissingNewline = (line: string): boolean => line.startsWith("\\ ") && line.length > 12
const isBinary = (line: string): boolean => line.startsWith("GIT binary patch") || line.startsWith("Binary files")

/** The ids of a line `index <id>..<id>[ <mode>]`. */
const idsOf = (line: string): ReadonlyArray<string> => /^index (.*?)\.\.([^ \n]*)/.exec(line)?.slice(1) ?? []

/**
 * The id that `git patch-id --stable` gives patches as `git diff` prints them; null where there are none. Source: `builtin/patch-id.c` of git,
 * from 2.39 on.
 */
export const stablePatchId = (text: Buffer): string | null => {
  const sum = new Sum()
  // How many lines of a hunk are still to come; -1 is the header of a file, as it is for git, which counts below 0 in hunks that are too long.
  let [before, after] = [-1, -1]
  let ids: ReadonlyArray<string> = []
  let inBinary = false
  for (const line of text.toString("latin1").split(/(?<=\n)/)) {
    if (isMissingNewline(line) || (sum.isEmpty && !line.startsWith("diff "))) continue
    if (before === -1) {
      if (isBinary(line)) {
        inBinary = true
        before = 0
        sum.takeIds(ids)
        sum.flush()
        continue
      }
      if (line.startsWith("index ")) {
        ids = idsOf(line)
        continue
      }
      if (line.startsWith("--- ")) [before, after] = [1, 1]
      else if (!/^[A-Za-z]/.test(line)) break
    }
    if (inBinary) {
      inBinary = !line.startsWith("diff ")
      if (!inBinary) before = -1
      continue
    }
    if (before === 0 && after === 0) {
      if (line.startsWith("@@ -")) {
        ;[before, after] = countsOf(line)
        continue
      }
      if (!line.startsWith("diff ")) break
      sum.flush()
      ;[before, after] = [-1, -1]
    }
    if (line.startsWith("-") || line.startsWith(" ")) before--
    if (line.startsWith("+") || line.startsWith(" ")) after--
    sum.take(line)
  }
  return sum.isEmpty ? null : sum.end()
}
