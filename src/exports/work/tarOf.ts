import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { Schema } from "effect"
import type { Pack } from "tar-stream"

/** A file that is to be in a tar. */
interface Entry {
  readonly name: string
  readonly path: string
  /** In milliseconds since 1970. */
  readonly modifiedAt: number
}

const isGone = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

/** Writes a file into a tar. One that is gone is left out: it was removed since it was told of. */
const add = async (tar: Pack, { modifiedAt, name, path }: Entry): Promise<void> => {
  const found = await stat(path).catch((cause: unknown) => (isGone(cause) ? undefined : Promise.reject(cause)))
  if (found === undefined) return
  const seconds = Math.floor(modifiedAt / 1000)
  // A header has whole seconds; what is more precise stands in front of it.
  const precise = modifiedAt === seconds * 1000 ? {} : { pax: { mtime: (modifiedAt / 1000).toFixed(3) } }
  const entry = tar.entry({ name, size: found.size, mode: 0o644, mtime: new Date(seconds * 1000), ...precise })
  await pipeline(createReadStream(path), entry)
}

type Entries = AsyncIterable<Entry> | Iterable<Entry>

const addAll = async (tar: Pack, files: Entries): Promise<void> => {
  try {
    for await (const file of files) await add(tar, file)
    tar.finalize()
  } catch (cause) {
    tar.destroy(cause instanceof Error ? cause : new Error(String(cause)))
  }
}

async function* bytesOf(tar: Pack, files: Entries): AsyncGenerator<Buffer> {
  const adding = addAll(tar, files)
  try {
    yield* tar as AsyncIterable<Buffer>
  } finally {
    // Where nobody reads any more, nothing is added any more.
    tar.destroy()
    await adding
  }
}

/** A tar with these files, which are read one after the other as it is. What writes tars is loaded with the first one. */
export const tarOf = async (files: Entries): Promise<Readable> => {
  const { pack } = await import("tar-stream")
  return Readable.from(bytesOf(pack(), files), { objectMode: false })
}

const Upload = Schema.Struct({ secret: Schema.String, name: Schema.String, created_at: Schema.Int })
const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Upload))

/** The uploads that records tell of, a line each. */
export async function* uploadsIn(pieces: AsyncIterable<Buffer> | Iterable<Buffer>) {
  let rest = ""
  for await (const piece of pieces) {
    // Records come whole.
    const lines = (rest + piece.toString("utf8")).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      const { created_at: modifiedAt, name, secret } = decode(line)
      yield { secret, name, modifiedAt }
    }
  }
}
