import { createHash } from "node:crypto"
import { Readable } from "node:stream"
import { Effect, Stream } from "effect"
import { Objects } from "../../git/objects/Objects.ts"
import { entryAt, type TreeEntry } from "../../git/objects/tree.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { Repository } from "../../git/Repository.ts"
import { invalidParameters, thingNotFound, type WireError } from "../../http/answer/errors.ts"
import type { ProjectRow } from "../../projects/Projects.ts"
import { blobContent } from "../blobs/content.ts"
import { lastCommitOf } from "../commits/actions.ts"
import { commitNotFound } from "../commits/view.ts"
import { commitOrDefault } from "../revision.ts"
import type { FileShape } from "./shapes.ts"

export const noFile = thingNotFound("File")

/** The error for a parameter that is no path. */
export const badPath = (parameter: string): WireError => invalidParameters([`${parameter} should be a valid file path`])

/** Whether a path is absolute, or leads upwards. */
export const leadsOutside = (path: string): boolean =>
  path.startsWith("/") || path.split(/[/\\]/).some((part) => part === ".." || part === ".")

/** Fails for an absolute path and one that leads upwards; what else cannot be a path is not there. */
export const requirePath = (filePath: string | null): Effect.Effect<string, WireError> => {
  const path = filePath ?? ""
  return leadsOutside(path) ? Effect.fail(badPath("file_path")) : Effect.succeed(path)
}

/** A file of a commit. */
export interface FileAt {
  readonly repository: Repository
  /** The ref as sent, or the default branch. */
  readonly ref: string
  /** The full id of the commit. */
  readonly commit: string
  readonly entry: TreeEntry
  /** The size in bytes. */
  readonly size: number
}

/** The file of a path; without revision, that of the default branch. */
export const requireFile = Effect.fnUntraced(function* (
  project: ProjectRow,
  parameters: { readonly file_path: string | null; readonly ref?: string | null }
) {
  const path = yield* requirePath(parameters.file_path)
  const { commit, ref } = (yield* commitOrDefault(project, parameters.ref || null)) ?? (yield* commitNotFound)
  const repository = (yield* Repositories).of(project.id)
  const entry = yield* Effect.orDie(entryAt(repository, commit, path))
  if (entry?.type !== "blob") return yield* noFile
  const info = yield* Effect.orDie((yield* Objects).info(repository, entry.id))
  const file: FileAt = { repository, ref, commit, entry, size: info?.size ?? (yield* noFile) }
  return file
})

/** What is not in memory is read for the digest alone, which headers tell before the content. */
const sha256Of = Effect.fnUntraced(function* ({ entry, repository }: FileAt, content: Buffer | Readable) {
  const hash = createHash("sha256")
  if (!(content instanceof Readable)) return hash.update(content).digest("hex")
  const chunks = (yield* Objects).stream(repository, entry.id)
  yield* Effect.orDie(Stream.runForEach(chunks, (chunk) => Effect.sync(() => hash.update(chunk))))
  return hash.digest("hex")
})

export type FileFacts = Omit<typeof FileShape.Type, "content">

/** All that is known of a file, and its content: the bytes, or for a large file a stream that begins when it is read. */
export const readFile = Effect.fnUntraced(function* (file: FileAt) {
  const { commit, entry, ref, repository, size } = file
  const content = (yield* blobContent({ repository, id: entry.id, size })) ?? (yield* noFile)
  const facts: FileFacts = {
    file_name: entry.name,
    file_path: entry.path,
    size,
    encoding: "base64",
    content_sha256: yield* sha256Of(file, content),
    ref,
    blob_id: entry.id,
    commit_id: commit,
    // A name that is not UTF-8 is found under no path.
    last_commit_id: (yield* lastCommitOf(repository, commit, entry.path)) ?? commit,
    execute_filemode: entry.mode === "100755"
  }
  return { content, facts }
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: headers may not have them
const control = /[\x00-\x1f\x7f%]/g

/** A text as a header can carry it: its UTF-8 bytes, control characters and the percent sign percent-encoded. */
const headerText = (value: string): string =>
  Buffer.from(value.replace(control, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`)).toString(
    "latin1"
  )

/** What is known of a file, as headers: `x-gitlab-file-name`, … */
export const factHeaders = (facts: FileFacts): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [`x-gitlab-${name.replaceAll("_", "-")}`, headerText(String(value))])
  )
