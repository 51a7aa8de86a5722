import { createReadStream } from "node:fs"
import { PassThrough, pipeline, type Readable } from "node:stream"
import { createGunzip } from "node:zlib"

/** What went wrong, in the words of whoever noticed. */
export const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Whoever reads the last of these is told what fails in any of them, and ends all of them by reading no more. */
const toldByReader = () => {}

/** The content of a file, which is compressed where its name says so. */
export const unpackedFile = (path: string): Readable =>
  pipeline(createReadStream(path), path.endsWith(".gz") ? createGunzip() : new PassThrough(), toldByReader)

/** The entries of a tar, each to be read, or let go, before the next one is asked for. What reads tars is loaded with the first. */
export async function* entriesOf(path: string) {
  const { extract } = await import("tar-stream")
  yield* pipeline(unpackedFile(path), extract(), toldByReader)
}
