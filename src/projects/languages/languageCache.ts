import { randomUUID } from "node:crypto"
import { readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Option, Schema } from "effect"
import type { Repository } from "../../git/Repository.ts"
import { version } from "../../version.ts"
import type { LanguageBytes } from "./LanguageTally.ts"

/** The languages of the commit that was asked for last. Losing it costs time, nothing else. */
export interface LanguageCache {
  readonly get: (repository: Repository, commit: string) => Effect.Effect<LanguageBytes | undefined>
  readonly put: (repository: Repository, commit: string, bytes: LanguageBytes) => Effect.Effect<void>
}

/** Only the default branch is asked for, so one commit is enough. */
const file = "languages.json"

/** Another version of the service may know other languages. */
const CachedLanguages = Schema.Struct({
  version: Schema.String,
  commit: Schema.String,
  bytes: Schema.Array(Schema.Tuple([Schema.String, Schema.Finite]))
})
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(CachedLanguages))

/** Falls back when the file cannot be read or written: the tree is then read. */
const orElse = <A>(otherwise: A, work: () => Promise<A>): Effect.Effect<A> => Effect.promise(() => work().catch(() => otherwise))

/** One file in the repository, which is removed with it, and appears whole or not at all. */
export const languageFile: LanguageCache = {
  get: ({ path }, commit) =>
    orElse(undefined, async () => {
      const entry = Option.getOrUndefined(decode(await readFile(join(path, file), "utf8")))
      return entry?.commit === commit && entry.version === version ? entry.bytes : undefined
    }),
  put: ({ path }, commit, bytes) =>
    orElse(undefined, async () => {
      const draft = join(path, `${file}.${randomUUID()}`)
      const entry: typeof CachedLanguages.Type = { version, commit, bytes }
      await writeFile(draft, JSON.stringify(entry))
      await rename(draft, join(path, file))
    })
}
