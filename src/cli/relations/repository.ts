import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Effect } from "effect"
import { DraftFile } from "../../exports/files/DraftFile.ts"
import { moveRequestRefs } from "../../git/merge/mergeRequestRefs.ts"
import { runText } from "../../git/process/run.ts"
import { Spools } from "../../git/process/Spools.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { RefChange } from "../../git/refs/RefChange.ts"
import { noSpace, tooLarge } from "../../imports/remote/fault.ts"
import { ImportLimits } from "../../imports/remote/ImportLimits.ts"
import { bringRepository } from "../../imports/work/perform.ts"
import { CommandFailed } from "../exit.ts"
import { entriesOf, reasonOf } from "./reading/unpacked.ts"

/** What keeps a bundle from being written. */
class BundleRefused extends Error {}

interface Bounds {
  /** The highest number of bytes; infinite where there is no limit. */
  readonly bytes: number
  /** The number of bytes that the disk may still take. */
  readonly spare: () => Promise<number>
}

/** Writes the bundle that a tar holds to a file; false where it holds none, as of an empty repository. */
const unpack = async (file: string, to: string, { bytes, spare }: Bounds): Promise<boolean> => {
  for await (const entry of entriesOf(file)) {
    const { name, size = 0, type } = entry.header
    if (type === "file" && name.endsWith(".bundle")) {
      if (size > bytes) throw new BundleRefused(tooLarge(bytes))
      // Others write meanwhile: that is looked at as it is written.
      if (size > (await spare())) throw new BundleRefused(noSpace)
      await pipeline(entry, new DraftFile(to, spare))
      return true
    }
    entry.resume()
  }
  return false
}

const requestHead = /^([0-9a-f]{40}) (refs\/merge-requests\/[1-9]\d*\/head)$/

/** So many refs are made at once. */
const refsAtOnce = 1_000

/** The heads of merge requests in a bundle, which are no branches: their versions are shown from them. */
const requestHeads = (refs: ReadonlyArray<string>): ReadonlyArray<RefChange> =>
  refs.flatMap((line) => {
    const [, to, name] = requestHead.exec(line) ?? []
    return to === undefined || name === undefined ? [] : [{ name, from: null, to }]
  })

/**
 * The default branch, which the exports of this service tell last, behind HEAD, which itself names none. In other bundles HEAD stands
 * elsewhere: of them git takes a branch that leads to the same commit.
 */
const defaultBranchIn = (refs: ReadonlyArray<string>): string | undefined => {
  const [head = "", last = ""] = refs.slice(-2)
  const start = head.replace(/ HEAD$/, " refs/heads/")
  return start !== head && last.startsWith(start) ? last.slice(start.length) : undefined
}

/** Brings the repository of an export into a project: its branches and tags, and the heads of merge requests. Answers how many there are. */
export const importRepositoryOf = Effect.fn("cli.importBundle")(function* (
  projectId: number,
  file: string | undefined,
  onPercent: (percent: number) => void
) {
  const none = { branches: 0, tags: 0 }
  if (file === undefined) return none
  const repositories = yield* Repositories
  const bundle = join(yield* repositories.scratch, "repository.bundle")
  const [{ bytes }, { spare }] = [yield* ImportLimits, yield* Spools]
  const unreadable = (cause: unknown) =>
    new CommandFailed({
      message: cause instanceof BundleRefused ? cause.message : `${file} cannot be read: ${reasonOf(cause)}`
    })
  const hasBundle = yield* Effect.tryPromise({ try: () => unpack(file, bundle, { bytes, spare }), catch: unreadable })
  if (!hasBundle) return none
  const listed = yield* runText(repositories.of(projectId), ["bundle", "list-heads", bundle]).pipe(
    Effect.mapError(() => unreadable("it holds no bundle"))
  )
  const refs = listed.split("\n")
  const source = { _tag: "Folder", path: bundle, defaultBranch: defaultBranchIn(refs) } as const
  const outcome = yield* bringRepository(projectId, source, onPercent)
  if (outcome._tag !== "Finished") {
    return yield* new CommandFailed({ message: outcome._tag === "Failed" ? outcome.reason : "The project was deleted" })
  }
  const heads = requestHeads(refs)
  for (let from = 0; from < heads.length; from += refsAtOnce) {
    yield* Effect.orDie(moveRequestRefs(repositories.of(projectId), heads.slice(from, from + refsAtOnce)))
  }
  return { branches: outcome.branches, tags: outcome.tags }
}, Effect.scoped)
