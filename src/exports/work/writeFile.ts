import { Readable, type Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { Effect } from "effect"
import { type BundledRef, writeBundle } from "../../git/archive/writeBundle.ts"
import { Repositories } from "../../git/Repositories.ts"
import { UploadStorage } from "../../uploads/files/UploadStorage.ts"
import type { Piece } from "../aggregate.ts"
import { ExportRecords } from "../ExportRecords.ts"
import type { ExportedFile } from "../events.ts"
import type { DraftFile } from "../files/DraftFile.ts"
import { ExportStorage } from "../files/ExportStorage.ts"
import type { ExportKey } from "../ids.ts"
import { kindOf } from "../relations.ts"
import { tarOf, uploadsIn } from "./tarOf.ts"
import { Unwritable } from "./Unwritable.ts"

/** Texts are pressed together as `gzip` does it by default; packs are so already. The header has no time, so the same content gives the same bytes. */
const [textLevel, packLevel] = [6, 1]

/** What is to be in a file, and what it goes through on the way. */
type Content = readonly [Readable, ...ReadonlyArray<Transform>]

const compressed = (content: Readable, level: number): Content => [content, createGzip({ level })]

const attempt = <A>(work: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (cause) => new Unwritable({ cause }) })

const refsIn = (text: string) =>
  text.split("\n").flatMap((line) => {
    const [id = "", name] = line.split(" ")
    return name === undefined ? [] : [{ id, name }]
  })

const textOf = async (pieces: AsyncIterable<Buffer>): Promise<string> => {
  const all: Array<Buffer> = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all).toString("utf8")
}

/** Writes a bundle with these refs into a draft; false where there is nothing to bundle. */
const writeBundleTo = Effect.fnUntraced(function* (path: string, projectId: number, refs: ReadonlyArray<BundledRef>) {
  const [storage, repositories] = [yield* ExportStorage, yield* Repositories]
  if (!(yield* repositories.exists(projectId))) return false
  let file: DraftFile | undefined
  const open = (header: string) => {
    file = storage.open(path)
    // What fails is told by whoever writes, once it does.
    file.on("error", () => {})
    file.write(header)
    return file
  }
  return yield* writeBundle(repositories.of(projectId), refs, open).pipe(
    Effect.mapError((failure) => (file?.errored ? new Unwritable({ cause: file.errored }) : failure)),
    Effect.ensuring(Effect.sync(() => file?.destroy()))
  )
})

/** A tar with the bundle of a repository as its refs were when the records were taken. */
const bundleTar = Effect.fnUntraced(function* (of: ExportKey, records: AsyncIterable<Buffer>) {
  const path = yield* ExportStorage.use((storage) => storage.draft(of))
  const refs = refsIn(yield* attempt(() => textOf(records)))
  const hasBundle = yield* writeBundleTo(path, of.projectId, refs)
  return yield* attempt(() => tarOf(hasBundle ? [{ name: "repository.bundle", path, modifiedAt: 0 }] : []))
})

/** A tar with the uploads that records tell of. */
const folderTar = Effect.fnUntraced(function* (projectId: number, records: AsyncIterable<Buffer> | ReadonlyArray<never>) {
  const { pathOf } = yield* UploadStorage
  const files = async function* () {
    for await (const { modifiedAt, name, secret } of uploadsIn(records)) {
      yield { name: `${secret}/${name}`, path: pathOf({ projectId, secret, name }), modifiedAt }
    }
  }
  return yield* attempt(() => tarOf(files()))
})

const contentOf = Effect.fnUntraced(function* (of: ExportKey, { first, last, relation }: Piece) {
  const records = yield* ExportRecords
  const range = { relation, first, last }
  const kind = kindOf(relation)
  if (kind === "repository") return compressed(yield* bundleTar(of, records.read(of, range)), packLevel)
  if (kind === "folder") {
    return compressed(yield* folderTar(of.projectId, relation === "uploads" ? records.read(of, range) : []), packLevel)
  }
  if (last > 0) return [Readable.from(records.pack(of, range, textLevel))] satisfies Content
  return compressed(Readable.from(kind === "single" || kind === "attributes" ? ["null"] : []), textLevel)
})

/** Writes the file of a relation or of a batch of it. Fails where the disk or `git` does. */
export const writeFile = Effect.fn("exports.writeFile")(function* (of: ExportKey, piece: Piece) {
  const storage = yield* ExportStorage
  const draft = yield* storage.draft(of)
  const content = yield* contentOf(of, piece)
  return yield* attempt(async (signal): Promise<ExportedFile> => {
    const file = storage.open(draft)
    await pipeline([...content, file], { signal })
    await storage.keep(of, draft, file.written)
    return file.written
  })
}, Effect.scoped)
