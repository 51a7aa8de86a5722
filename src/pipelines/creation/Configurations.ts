import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { type Commit, readCommit } from "../../git/objects/commit.ts"
import type { Objects } from "../../git/objects/Objects.ts"
import type { Repository } from "../../git/Repository.ts"
import { textAt } from "./files.ts"

/** A commit with the text of its configuration; undefined where it has none. */
export interface Configured {
  readonly commit: Commit | undefined
  readonly text: string | undefined
}

/** Characters that are kept, of texts and messages. */
const maxCharacters = 16 * 1024 * 1024

/** The configurations of commits. Those that were read lately are kept: schedules ask for the same one again and again. */
export class Configurations extends Context.Service<
  Configurations,
  {
    /** `commit` is a full id. A failure of git is a defect. */
    readonly of: (repository: Repository, commit: string, path: string) => Effect.Effect<Configured>
  }
>()("chronoforge/pipelines/creation/Configurations") {
  static readonly layer: Layer.Layer<Configurations, never, Objects> = Layer.effect(
    Configurations,
    Effect.gen(function* () {
      const services = yield* Effect.context<Objects>()
      const kept = new LRUCache<string, Configured>({
        maxSize: maxCharacters,
        sizeCalculation: ({ commit, text }) => 1_000 + (commit?.message.length ?? 0) + (text?.length ?? 0)
      })
      const read = Effect.fnUntraced(function* (repository: Repository, id: string, path: string) {
        const commit = yield* Effect.orDie(readCommit(repository, id))
        const configured: Configured = { commit, text: yield* textAt(repository, id, path) }
        return configured
      })
      return Configurations.of({
        of: (repository, commit, path) =>
          Effect.suspend(() => {
            const key = `${repository.path}\0${commit}\0${path}`
            const found = kept.get(key)
            if (found !== undefined) return Effect.succeed(found)
            return Effect.tap(Effect.provide(read(repository, commit, path), services), (configured) =>
              Effect.sync(() => kept.set(key, configured))
            )
          })
      })
    })
  )
}
