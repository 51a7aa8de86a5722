import { Effect } from "effect"
import { packedRefsHead, putRefs } from "./putRefs.ts"
import type { GitFailed, Repository } from "./Repository.ts"
import { run } from "./run.ts"

const pack = ["pack-objects", "--revs", "--delta-base-offset", "--use-bitmap-index", "--threads=1", "-q"]

/** Ids of refs; behind a tag, what it leads to. */
const entry = /^([0-9a-f]{40}) (.+?)(\^\{\})?$/gm

/**
 * Gives an empty repository that nobody else uses all branches and tags of another one, or one ref by its full name, with all that they
 * need. One pack is made of the packs there: `git fetch` and `git clone` would take the objects apart and put them together again.
 */
export const copyRefs = Effect.fn("git.copyRefs")(function* (
  target: Repository,
  source: Repository,
  ref: string | undefined
): Effect.fn.Return<void, GitFailed> {
  const which = ref === undefined ? ["--heads", "--tags"] : ["--verify", "--", ref]
  const { stdout } = yield* run(source, ["show-ref", "--dereference", ...which], { statuses: [0, 1] })
  const ids: Array<string> = []
  const lines: Array<string> = []
  for (const [line, id = "", , isPeeled] of stdout.toString("latin1").matchAll(entry)) {
    if (isPeeled === undefined) ids.push(id)
    lines.push(isPeeled === undefined ? line : `^${id}`)
  }
  if (ids.length === 0) return
  yield* run(source, [...pack, `${target.path}/objects/pack/pack`], { input: ids.join("\n"), timeLimit: 600_000 })
  yield* putRefs(`${packedRefsHead}${lines.join("\n")}\n`, target, `${target.path}/packed-refs.new`)
})
