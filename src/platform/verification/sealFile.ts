import { readFile, rename, writeFile } from "node:fs/promises"
import { Data, Effect, Schema } from "effect"
import { Seal } from "./Seal.ts"

/** A file of exported seals cannot be read or written. */
export class SealFileUnusable extends Data.TaggedError("SealFileUnusable")<{ readonly path: string; readonly reason: string }> {
  override get message() {
    return `${this.path}: ${this.reason}`
  }
}

const onFile = <A>(path: string, run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => new SealFileUnusable({ path, reason: cause instanceof Error ? cause.message : String(cause) })
  })

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Seal))

/** The seals of an exported file, in order of position. */
export const readSealFile = Effect.fn("verification.readSealFile")(function* (path: string) {
  const text = yield* onFile(path, () => readFile(path, "utf8"))
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const seals = yield* Effect.forEach(lines, (line, index) =>
    Effect.mapError(decode(line), () => new SealFileUnusable({ path, reason: `line ${index + 1} is no seal` }))
  )
  if (seals.length === 0) return yield* new SealFileUnusable({ path, reason: "the file holds no seal" })
  return seals.toSorted((one, other) => one.position - other.position)
})

/** Writes seals, one JSON object a line, in place of what the file held. */
export const writeSealFile = Effect.fn("verification.writeSealFile")((path: string, seals: ReadonlyArray<Seal>) =>
  onFile(path, async () => {
    const draft = `${path}.${process.pid}`
    await writeFile(draft, seals.map((seal) => `${JSON.stringify(seal)}\n`).join(""))
    await rename(draft, path)
  })
)
