import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import { packBytes } from "../objects/packBytes.ts"
import { spareBytes } from "../process/diskSpace.ts"
import { run } from "../process/run.ts"
import { GitFailed, type Repository } from "../Repository.ts"
import { packedRefsHead, putRefs } from "./putRefs.ts"

const pack = ["pack-objects", "--revs", "--delta-base-offset", "--use-bitmap-index", "--threads=1", "-q"]

/** Matches a ref with its id; a line with `^{}` tells the object behind a tag. */
const entry = /^([0-9a-f]{40}) (.+?)(\^\{\})?$/gm

const noSpace = new GitFailed({ command: pack.join(" "), status: null, stderr: "the packs would not fit", exceeded: "space" })

/**
 * Gives an empty repository that nobody else uses all branches and tags of another one, or one ref by its full name, with all that they
 * need. One pack is made of the packs there: `git fetch` and `git clone` would take the objects apart and put them together again. Fails
 * with `exceeded: "space"` where the disk has no room for those.
 */
export const copyRefs = Effect.fnUntraced(function* (
  target: Repository,
  source: Repository,
  ref: string | undefined
): Effect.fn.Return<void, GitFailed> {
  const refArguments = ref === undefined ? ["--heads", "--tags"] : ["--verify", "--", ref]
  const { stdout } = yield* run(source, ["show-ref", "--dereference", ...refArguments], { statuses: [0, 1] })
  const ids: Array<string> = []
  const lines: Array<string> = []
  for (const [line, id = "", , isPeeled] of stdout.toString("latin1").matchAll(entry)) {
    if (isPeeled === undefined) ids.push(id)
    lines.push(isPeeled === undefined ? line : `^${id}`)
  }
  if (ids.length === 0) return
  const hasSpace = yield* Effect.promise(async () => (await spareBytes(target.path)) >= (await packBytes(source)))
  if (!hasSpace) return yield* noSpace
  yield* run(source, [...pack, `${target.path}/objects/pack/pack`], { input: ids.join("\n"), timeLimit: 600_000 })
  yield* putRefs(`${packedRefsHead}${lines.join("\n")}\n`, target, `${target.path}/packed-refs.new`)
}, spanned("git.copyRefs"))
