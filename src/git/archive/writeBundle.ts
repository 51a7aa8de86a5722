import type { Writable } from "node:stream"
import { Effect } from "effect"
import { CurrentWork } from "../../platform/work/CurrentWork.ts"
import { inPlace } from "../../platform/work/WorkPlaces.ts"
import { isObjectId } from "../objectId.ts"
import { consumeLines } from "../process/consumeLines.ts"
import { writeOutput } from "../process/writeOutput.ts"
import type { Repository } from "../Repository.ts"

/** Where a ref leads. */
export interface BundledRef {
  /** A full object id. */
  readonly id: string
  readonly name: string
}

/** Of each line the id and a word: `missing` where there is no such object. */
const maxLineLength = 64

/** The refs whose objects are there. */
const existing = Effect.fnUntraced(function* (repository: Repository, refs: ReadonlyArray<BundledRef>) {
  const missing = new Set<string>()
  const onLine = (line: Buffer) => {
    const [id = "", word] = line.toString("latin1").split(" ")
    if (word === "missing") missing.add(id)
  }
  const ids = [...new Set(refs.map(({ id }) => id))]
  yield* consumeLines(repository, ["cat-file", "--batch-check=%(objectname) there"], onLine, {
    input: `${ids.join("\n")}\n`,
    maxOutput: ids.length * maxLineLength
  })
  return refs.filter(({ id }) => !missing.has(id))
})

const headerOf = (refs: ReadonlyArray<BundledRef>): string =>
  `# v2 git bundle\n${refs.map(({ id, name }) => `${id} ${name}\n`).join("")}\n`

/** With one thread, the same repository gives the same bytes. */
const packing = ["-c", "pack.threads=1", "pack-objects", "--stdout", "--revs", "--delta-base-offset", "-q"]

/** A bundle may take this many milliseconds, unless the class of the work has less. */
const timeLimit = 3 * 3_600_000

/**
 * Writes a bundle of refs where they led once, which they may not do any more, to what `sink` gives for a text before the pack. Refs whose objects are gone are left
 * out; false where none is left, for a bundle has one at least.
 */
export const writeBundle = Effect.fn("git.writeBundle")(function* (
  repository: Repository,
  refs: ReadonlyArray<BundledRef>,
  open: (header: string) => Writable
) {
  const kept =
    refs.length === 0
      ? []
      : yield* existing(
          repository,
          refs.filter(({ id }) => isObjectId(id))
        )
  if (kept.length === 0) return false
  const input = `${[...new Set(kept.map(({ id }) => id))].join("\n")}\n`
  const work = yield* CurrentWork
  const sink = open(headerOf(kept))
  const writing = writeOutput(repository, packing, { class: work.class, input, timeLimit }, { sink: () => sink }, () => {})
  yield* Effect.catchTag(inPlace(repository.path, writing), "TooBusy", Effect.die)
  return true
})
