import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { type Commit, cacheCommits, cachedCommit, readCommits, readKeptCommit } from "../../git/objects/commit.ts"
import type { Objects } from "../../git/objects/Objects.ts"
import type { Repository } from "../../git/Repository.ts"
import { tipOnDisk } from "../../git/refs/tipOnDisk.ts"
import { textAt } from "./textAt.ts"

/** The text of a file: undefined where there is none or it is a link, null where it is too long for a configuration. */
type Text = string | null | undefined

/** A commit with the text of its configuration. */
export interface Configured {
  readonly commit: Commit | undefined
  readonly text: Text
}

/** Characters of all cached texts. */
const maxTexts = 16 * 1024 * 1024
const overhead = 500

/** Answers from the cache, else reads and caches what there is. */
const cached =
  <A extends object>(cache: LRUCache<string, A>) =>
  <E, R>(key: string, read: Effect.Effect<A | undefined, E, R>): Effect.Effect<A | undefined, E, R> =>
    Effect.suspend(() => {
      const found = cache.get(key)
      if (found !== undefined) return Effect.succeed(found)
      return Effect.tap(read, (value) => Effect.sync(() => cache.set(key, value)))
    })

/** An entry of the cache, which tells also that there is no file. */
interface FileText {
  readonly text: Text
}

/**
 * The configurations of commits, of which those that were read lately are cached, as the commits are: schedules ask for the same one again
 * and again, and so do lists of jobs; a service that starts a process of git for each of a thousand schedules of the same minute answers
 * nobody else.
 */
export class Configurations extends Context.Service<
  Configurations,
  {
    /** `commit` is a full id. A failure of git is a defect. */
    readonly of: (repository: Repository, commit: string, path: string) => Effect.Effect<Configured>
    /** The commit that a branch, by its full name, names, where that can be told without git: one whose configuration is cached. */
    readonly cachedTip: (repository: Repository, branch: string, path: string) => Effect.Effect<string | undefined>
    /** Commits by their full ids, each once, in any order. Those that cannot be read are left out. */
    readonly commits: (repository: Repository, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Commit>>
    readonly text: (repository: Repository, commit: string, path: string) => Effect.Effect<Text>
  }
>()("chronoforge/pipelines/creation/Configurations") {
  static readonly layer: Layer.Layer<Configurations, never, Objects> = Layer.effect(
    Configurations,
    Effect.gen(function* () {
      const services = yield* Effect.context<Objects>()
      const texts = new LRUCache<string, FileText>({
        maxSize: maxTexts,
        sizeCalculation: ({ text }) => overhead + (text?.length ?? 0)
      })
      const keyOf = (...parts: ReadonlyArray<string>): string => parts.join("\0")
      const commitOf = (repository: Repository, id: string) => Effect.orDie(readKeptCommit(repository, id))
      const none: ReadonlyArray<Commit> = []
      const commitsOf = Effect.fnUntraced(function* (repository: Repository, ids: ReadonlyArray<string>) {
        const known = [...new Set(ids)].map((id) => ({ id, commit: cachedCommit(repository, id) }))
        const missing = known.flatMap(({ commit, id }) => (commit === undefined ? [id] : []))
        const read = missing.length === 0 ? none : yield* Effect.orElseSucceed(readCommits(repository, missing), () => none)
        cacheCommits(repository, read)
        return [...known.flatMap(({ commit }) => commit ?? []), ...read]
      })
      const textOf = (repository: Repository, id: string, path: string) => {
        const read = Effect.map(textAt(repository, id, path), (text): FileText => ({ text }))
        return Effect.map(cached(texts)(keyOf(repository.path, id, path), read), (found) => found?.text)
      }
      return Configurations.of({
        of: (repository, id, path) =>
          Effect.provide(Effect.all({ commit: commitOf(repository, id), text: textOf(repository, id, path) }), services),
        cachedTip: (repository, branch, path) =>
          Effect.map(tipOnDisk(repository, branch), (tip) => {
            const isCached =
              tip !== undefined && cachedCommit(repository, tip) !== undefined && texts.has(keyOf(repository.path, tip, path))
            return isCached ? tip : undefined
          }),
        commits: (repository, ids) => Effect.provide(commitsOf(repository, ids), services),
        text: (repository, id, path) => Effect.provide(textOf(repository, id, path), services)
      })
    })
  )
}
