import { basename } from "node:path"
import { Effect, Scope, Stream } from "effect"
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
import { entriesOf, reasonOf } from "./reading/unpacked.ts"
import { isTellable } from "./shapes/values.ts"

/** A file of an export. */
interface ExportedUpload {
  readonly secret: string
  readonly name: string
  /** The name of the tar that it is in. */
  readonly tar: string
  /** In milliseconds since 1970. */
  readonly at: number
  /** For one reader, before the next file is asked for. */
  readonly content: AsyncIterable<Buffer>
}

class NoUpload extends Error {}

/**
 * Where an upload lies, by the name of its entry; undefined for a file of something else, such as the picture of a project. Dies of what
 * leads out of the tar.
 */
const placeOf = (entry: string) => {
  const parts = entry.replace(/^\.\//, "").split("/")
  if (parts.includes("..") || parts[0] === "") throw new NoUpload(`it holds ${JSON.stringify(entry)}, which is no upload`)
  const [secret = "", name = "", ...more] = parts
  return isSecret(secret) && isSafeName(name) && more.length === 0 ? { secret, name } : undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null

/** The time of an entry, which may be told more precisely than in its header; dies of what no answer could tell. */
const timeOf = ({ mtime, name, pax }: Header): number => {
  const precise = isObject(pax) ? pax.mtime : undefined
  const at = precise === undefined ? (mtime?.getTime() ?? 0) : Math.round(Number(precise) * 1000)
  if (!isTellable(at)) throw new NoUpload(`it holds ${JSON.stringify(name)}, whose time is not in the years 0000 to 9999`)
  return at
}

type OnOther = (entry: string) => void

/** The uploads in a tar, one after the other. `onOther` is told of other files. */
async function* uploadsIn(path: string, onOther: OnOther): AsyncGenerator<ExportedUpload> {
  const tar = basename(path)
  for await (const entry of entriesOf(path)) {
    const { name, type } = entry.header
    if (type !== "file" && type !== "directory") throw new NoUpload(`it holds ${JSON.stringify(name)}, which is no file`)
    const place = type === "file" ? placeOf(name) : undefined
    if (place !== undefined) {
      // Its types do not say that it gives buffers.
      yield { ...place, tar, at: timeOf(entry.header), content: entry as AsyncIterable<Buffer> }
    } else if (type === "file") onOther(name)
    entry.resume()
  }
}

/** The uploads of an export; fails with what is wrong in which file. */
const uploadsOf = (from: ExportFolder, onOther: OnOther = () => {}) =>
  Stream.fromEffect(from.files("uploads")).pipe(
    Stream.flatMap(Stream.fromIterable),
    Stream.flatMap((path) =>
      Stream.fromAsyncIterable(
        uploadsIn(path, onOther),
        (cause) => new CommandFailed({ message: `${basename(path)} cannot be read: ${reasonOf(cause)}` })
      )
    )
  )

/** Reads all uploads once, and answers how many there are, and which files are none. */
export const countUploads = Effect.fn("cli.countUploads")(function* (from: ExportFolder) {
  const seen = new Set<string>()
  const others: Array<string> = []
  const onOther: OnOther = (entry) => {
    others.push(entry)
  }
  yield* Stream.runForEach(uploadsOf(from, onOther), ({ secret }) => {
    if (seen.has(secret)) return new CommandFailed({ message: `Two uploads have the secret ${secret}` })
    seen.add(secret)
    return Effect.void
  })
  return { count: seen.size, others }
})

/** So many uploads are brought to their places at once, most of which is waiting for the disk. */
const concurrency = 16

/**
 * Brings the uploads, at the places where texts lead to them. Who uploaded them is not exported. They are read one after the other, as
 * the tar is.
 */
export const importUploads = Effect.fn("cli.importUploads")(function* (to: Import, from: ExportFolder) {
  const { projectId } = to
  const [storage, all] = [yield* UploadStorage, yield* Effect.scope]
  const receive = Effect.fnUntraced(function* ({ content, ...upload }: ExportedUpload) {
    const scope = yield* Scope.fork(all)
    const draft = yield* Scope.provide(storage.draft, scope)
    yield* Effect.tryPromise({
      try: async () => {
        for await (const piece of content) await draft.append(piece)
      },
      catch: (cause) => new CommandFailed({ message: `${upload.tar} cannot be brought: ${reasonOf(cause)}` })
    })
    return { ...upload, id: yield* nextId("upload"), draft, scope }
  })
  const by = to.people.of(null)
  const place = Effect.fnUntraced(function* ({ at, draft, id, name, scope, secret }: Effect.Success<ReturnType<typeof receive>>) {
    const work = Effect.gen(function* () {
      const file = yield* draft.keep({ id, projectId, secret }, name)
      const event = UploadEvent.cases.UploadAdded.make({ projectId, secret, name, by, ...file })
      yield* recordPast(uploadCodec, uploadStream(id), [{ event, at, by }])
    })
    yield* Effect.onExit(work, (exit) => Scope.close(scope, exit))
    to.onRecord()
  })
  yield* uploadsOf(from).pipe(Stream.mapEffect(receive), Stream.mapEffect(place, { concurrency }), Stream.runDrain)
}, Effect.scoped)
