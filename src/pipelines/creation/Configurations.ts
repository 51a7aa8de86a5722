import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { type Commit, readCommit, readCommits } from "../../git/objects/commit.ts"
import type { Objects } from "../../git/objects/Objects.ts"
import type { Repository } from "../../git/Repository.ts"
import { tipOnDisk } from "../../git/refs/tipOnDisk.ts"
import { textAt } from "./textAt.ts"

/** A commit with the text of its configuration; undefined where it has none. */
export interface Configured {
  readonly commit: Commit | undefined
  readonly text: string | undefined
}

/** Characters that are kept, of messages and of texts. */
const [maxMessages, maxTexts] = [4 * 1024 * 1024, 16 * 1024 * 1024]
const overhead = 500

/** Finds what is kept, or reads and keeps it, where there is something. */
const cached =
  <A extends object>(kept: LRUCache<string, A>) =>
  <E, R>(key: string, read: Effect.Effect<A | undefined, E, R>): Effect.Effect<A | undefined, E, R> =>
    Effect.suspend(() => {
      const found = kept.get(key)
      if (found !== undefined) return Effect.succeed(found)
      return Effect.tap(read, (value) => Effect.sync(() => kept.set(key, value)))
    })

/** A file that is not there has no text. */
interface FileText {
  readonly text: string | undefined
}

/**
 * The configurations of commits, and the commits. Those that were read lately are kept, for schedules ask for the same one again and
 * again, and so do lists of jobs; a service that starts a process of git for each of a thousand schedules of the same minute answers
 * nobody else.
 */
export class Configurations extends Context.Service<
  Configurations,
  {
    /** `commit` is a full id. A failure of git is a defect. */
    readonly of: (repository: Repository, commit: string, path: string) => Effect.Effect<Configured>
    /** The commit that a branch, by its full name, names, where that can be told without git: one whose configuration is kept. */
    readonly keptTip: (repository: Repository, branch: string, path: string) => Effect.Effect<string | undefined>
    /** Commits by their full ids, each once, in any order. Those that cannot be read are left out. */
    readonly commits: (repository: Repository, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Commit>>
    /** The text of a file of a commit; undefined where there is none, or it is a link or larger than any configuration. */
    readonly text: (repository: Repository, commit: string, path: string) => Effect.Effect<string | undefined>
  }
>()("chronoforge/pipelines/creation/Configurations") {
  static readonly layer: Layer.Layer<Configurations, never, Objects> = Layer.effect(
    Configurations,
    Effect.gen(function* () {
      const services = yield* Effect.context<Objects>()
      const commits = new LRUCache<string, Commit>({
        maxSize: maxMessages,
        sizeCalculation: ({ message }) => overhead + message.length
      })
      const texts = new LRUCache<string, FileText>({
        maxSize: maxTexts,
        sizeCalculation: ({ text = "" }) => overhead + text.length
      })
      const keyOf = (...parts: ReadonlyArray<string>): string => parts.join("\0")
      const commitOf = (repository: Repository, id: string) =>
        cached(commits)(keyOf(repository.path, id), Effect.orDie(readCommit(repository, id)))
      const none: ReadonlyArray<Commit> = []
      const commitsOf = Effect.fnUntraced(function* (repository: Repository, ids: ReadonlyArray<string>) {
        const kept = [...new Set(ids)].map((id) => ({ id, commit: commits.get(keyOf(repository.path, id)) }))
        const missing = kept.flatMap(({ commit, id }) => (commit === undefined ? [id] : []))
        const read = missing.length === 0 ? none : yield* Effect.orElseSucceed(readCommits(repository, missing), () => none)
        for (const commit of read) commits.set(keyOf(repository.path, commit.id), commit)
        return [...kept.flatMap(({ commit }) => commit ?? []), ...read]
      })
      const textOf = (repository: Repository, id: string, path: string) => {
        const read = Effect.map(textAt(repository, id, path), (text): FileText => ({ text }))
        return Effect.map(cached(texts)(keyOf(repository.path, id, path), read), (found) => found?.text)
      }
      return Configurations.of({
        of: (repository, id, path) =>
          Effect.provide(Effect.all({ commit: commitOf(repository, id), text: textOf(repository, id, path) }), services),
        keptTip: (repository, branch, path) =>
          Effect.map(tipOnDisk(repository, branch), (tip) => {
            const isKept =
              tip !== undefined && commits.has(keyOf(repository.path, tip)) && texts.has(keyOf(repository.path, tip, path))
            return isKept ? tip : undefined
          }),
        commits: (repository, ids) => Effect.provide(commitsOf(repository, ids), services),
        text: (repository, id, path) => Effect.provide(textOf(repository, id, path), services)
      })
    })
  )
}
