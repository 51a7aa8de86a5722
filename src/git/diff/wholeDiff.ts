import { Duplex, type Readable } from "node:stream"
import { decodeText } from "../objects/decodeText.ts"
import { spooled } from "../process/spooled.ts"
import { writeOutput } from "../process/writeOutput.ts"
import type { Repository } from "../Repository.ts"
import { type DiffRequest, diffArguments } from "./diff.ts"
import { binaryNotice, type DiffEntry, diffEntry } from "./entry.ts"
import { DiffGate, type DiffLimits, noLimits } from "./limits.ts"
import { DiffParser, type Patch } from "./parser.ts"

/** An entry whose text comes apart from it, piece by piece, each of whole lines. */
export interface StreamedEntry {
  readonly entry: DiffEntry
  readonly text: Iterable<string>
}

/** Texts are decoded in pieces of about so many bytes. */
const pieceBytes = 64 * 1024
const newline = 10
const timeLimit = 60_000

function* piecesOf(text: Buffer): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(newline, from + pieceBytes)
    const to = end === -1 ? text.length : end + 1
    yield decodeText(text.subarray(from, to))
    from = to
  }
}

/** An entry that is shown, or is too large for it. */
const streamedEntry = (patch: Patch, admission: "shown" | "tooLarge"): StreamedEntry => {
  const entry = diffEntry({ ...patch, text: Buffer.alloc(0) }, admission)
  if (admission === "tooLarge") return { entry, text: [] }
  const notice = binaryNotice(patch)
  return notice === undefined ? { entry, text: piecesOf(patch.text) } : { entry: { ...entry, isBinary: true }, text: [notice] }
}

/** Writes down what `git` prints, whose entries come one by one. What is behind the limits is read, and left out. */
async function* written(output: AsyncIterable<Buffer>, limits: DiffLimits, write: WriteEntries): AsyncGenerator<string> {
  const parser = new DiffParser(limits.patchBytes, limits.hard.files)
  const gate = new DiffGate(limits)
  let isCut = false
  const admitted = function* (patches: ReadonlyArray<Patch>): Generator<StreamedEntry> {
    for (const patch of patches) {
      const admission = isCut ? "cut" : gate.admit(patch, false)
      if (admission === "cut") isCut = true
      else yield streamedEntry(patch, admission === "shown" ? "shown" : "tooLarge")
    }
  }
  const entries = async function* (): AsyncGenerator<StreamedEntry> {
    for await (const chunk of output) yield* admitted(parser.push(chunk))
    yield* admitted(parser.end())
  }
  yield* write(entries())
}

/** Makes the text of an answer of the entries. */
export type WriteEntries = (entries: AsyncIterable<StreamedEntry>) => AsyncIterable<string>

/**
 * The whole difference between two commits, however large, within limits that are `noLimits` by default and do not collapse: it is written down as `git` prints it, so that no more than a patch
 * is in memory, and who reads it slowly keeps no process.
 */
export const wholeDiff = (
  repository: Repository,
  { from, limits = noLimits, to }: Pick<DiffRequest, "from" | "to" | "limits">,
  write: WriteEntries
) =>
  spooled(repository.path, (spool, onStart) => {
    const through = Duplex.from((output: Readable) => written(output, limits, write))
    return writeOutput(
      repository,
      diffArguments(from, to),
      { class: "interactive", timeLimit, through: [through] },
      spool,
      onStart
    )
  })
