import { basename } from "node:path"
import { Effect, Stream } from "effect"
import type { Header } from "tar-stream"
import { nextId } from "../../platform/Ids.ts"
import { recordPast } from "../../platform/recordPast.ts"
import { UploadEvent, uploadCodec } from "../../uploads/events.ts"
import { UploadStorage } from "../../uploads/files/UploadStorage.ts"
import { uploadStream } from "../../uploads/ids.ts"
import { isSafeName, isSecret } from "../../uploads/names.ts"
import { CommandFailed } from "../exit.ts"
import type { ExportFolder } from "./files.ts"
import type { Import } from "./Import.ts"
import { isTellable } from "./shapes/values.ts"
import { entriesOf, reasonOf } from "./unpacked.ts"

/** A file of an export. */
interface ExportedUpload {
  readonly secret: string
  readonly name: string
  /** In milliseconds since 1970. */
  readonly at: number
  /** For one reader, before the next file is asked for. */
  readonly content: AsyncIterable<Buffer>
}

class NoUpload extends Error {}

/** Where a file lies, by the name of its entry; dies of what is none. */
const placeOf = (entry: string) => {
  const [secret = "", name = "", ...more] = entry.replace(/^\.\//, "").split("/")
  if (!isSecret(secret) || !isSafeName(name) || more.length > 0)
    throw new NoUpload(`it holds ${JSON.stringify(entry)}, which is no upload`)
  return { secret, name }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null

/** The time of an entry, which may be told more precisely than in its header; dies of what no answer could tell. */
const timeOf = ({ mtime, name, pax }: Header): number => {
  const precise = isObject(pax) ? pax.mtime : undefined
  const at = precise === undefined ? (mtime?.getTime() ?? 0) : Math.round(Number(precise) * 1000)
  if (!isTellable(at)) throw new NoUpload(`it holds ${JSON.stringify(name)}, whose time is not in the years 0000 to 9999`)
  return at
}

/** The files in a tar, one after the other. */
async function* uploadsIn(path: string): AsyncGenerator<ExportedUpload> {
  for await (const entry of entriesOf(path)) {
    const { name, type } = entry.header
    if (type === "file") {
      // Its types do not say that it gives buffers.
      yield { ...placeOf(name), at: timeOf(entry.header), content: entry as AsyncIterable<Buffer> }
    } else if (type !== "directory") throw new NoUpload(`it holds ${JSON.stringify(name)}, which is no file`)
    entry.resume()
  }
}

/** The uploads of an export; fails with what is wrong in which file. */
const uploadsOf = (from: ExportFolder) =>
  Stream.fromEffect(from.files("uploads")).pipe(
    Stream.flatMap(Stream.fromIterable),
    Stream.flatMap((path) =>
      Stream.fromAsyncIterable(
        uploadsIn(path),
        (cause) => new CommandFailed({ message: `${basename(path)} cannot be read: ${reasonOf(cause)}` })
      )
    )
  )

/** Reads all uploads once, and answers how many there are. */
export const countUploads = Effect.fn("cli.countUploads")(function* (from: ExportFolder) {
  const seen = new Set<string>()
  yield* Stream.runForEach(uploadsOf(from), ({ secret }) => {
    if (seen.has(secret)) return new CommandFailed({ message: `Two uploads have the secret ${secret}` })
    seen.add(secret)
    return Effect.void
  })
  return seen.size
})

const importUpload = Effect.fnUntraced(function* (to: Import, { at, content, name, secret }: ExportedUpload) {
  const { projectId } = to
  const draft = yield* (yield* UploadStorage).draft
  yield* Effect.promise(async () => {
    for await (const piece of content) await draft.append(piece)
  })
  const id = yield* nextId("upload")
  const file = yield* draft.keep({ id, projectId, secret }, name)
  const by = to.people.of(null)
  const event = UploadEvent.cases.UploadAdded.make({ projectId, secret, name, by, ...file })
  yield* recordPast(uploadCodec, uploadStream(id), [{ event, at, by }])
  to.onRecord()
}, Effect.scoped)

/** Brings the uploads, at the places where texts lead to them. Who uploaded them is not exported. */
export const importUploads = Effect.fn("cli.importUploads")((to: Import, from: ExportFolder) =>
  Stream.runForEach(uploadsOf(from), (upload) => importUpload(to, upload))
)
