import { Context, Effect, Layer } from "effect"
import { requireFullIds } from "../../git/objects/fullIds.ts"
import { consume } from "../../git/process/consume.ts"
import type { GitFailed, Repository } from "../../git/Repository.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { Processes } from "../../platform/processes/Processes.ts"
import { inClass } from "../../platform/work/CurrentWork.ts"
import { singleFlight } from "../../platform/work/singleFlight.ts"
import { type LanguageBytes, LanguageTally } from "./LanguageTally.ts"
import { type LanguageCache, languageFile } from "./languageCache.ts"
import { loadLanguageTable } from "./loadLanguageTable.ts"

/** The languages of the files of a commit. */
export class Languages extends Context.Service<
  Languages,
  {
    /** `commit` is a full id. Its tree is read once; callers of the same commit share the reading. */
    readonly of: (repository: Repository, commit: string) => Effect.Effect<LanguageBytes, GitFailed>
  }
>()("chronoforge/projects/Languages") {
  static readonly layer = Layer.sync(Languages, () => makeLanguages(languageFile))
}

/** Files and links of a listing with sizes, `<mode> <type> <id> <size>\t<path>\0`, as it comes in pieces. */
const eachFile = (onFile: (path: string, size: number) => void) => {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk: Buffer) => {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    for (let end = all.indexOf(0); end >= 0; end = all.indexOf(0, at)) {
      const tab = all.indexOf(9, at)
      const [mode = "", , , size] = all.toString("latin1", at, tab).split(/ +/)
      // Symbolic links and submodules do not count.
      if (mode.startsWith("100")) onFile(all.toString("utf8", tab + 1, end), Number(size))
      at = end + 1
    }
    rest = all.subarray(at)
  }
}

/** At most `maxFiles` files of a tree count; the rest is ignored. */
export const makeLanguages = (cache: LanguageCache, { maxFiles = 1_000_000 } = {}): Languages["Service"] => {
  const shared = singleFlight<LanguageBytes, GitFailed>()

  const count = Effect.fnUntraced(function* (repository: Repository, commit: string) {
    const processes = yield* Processes
    const tally = new LanguageTally(yield* Effect.promise(() => loadLanguageTable(processes)))
    let files = 0
    const read = eachFile((path, size) => {
      if (files++ < maxFiles) tally.add(path, size)
    })
    const onChunk = (chunk: Buffer) => {
      read(chunk)
      return files < maxFiles ? undefined : "enough"
    }
    yield* inClass("bulk")(consume(repository, ["ls-tree", "-r", "-l", "-z", commit], onChunk))
    const { bytes } = tally
    yield* cache.put(repository, commit, bytes)
    return bytes
  })

  return {
    of: Effect.fnUntraced(function* (repository, commit) {
      yield* requireFullIds([commit])
      const known = yield* cache.get(repository, commit)
      return known ?? (yield* shared(`${repository.path} ${commit}`, count(repository, commit)))
    }, spanned("Languages.of"))
  }
}
