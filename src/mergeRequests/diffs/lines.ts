import { hash } from "node:crypto"
import { Effect, Stream } from "effect"
import { diff } from "../../git/diff/diff.ts"
import type { DiffEntry } from "../../git/diff/entry.ts"
import { versionLimits } from "../../git/diff/versions.ts"
import { Objects } from "../../git/objects/Objects.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { Repository } from "../../git/Repository.ts"
import { isFilePath } from "../../git/write/filePaths.ts"
import type { MergeRequestKey } from "../ids.ts"
import { MergeRequestQueries } from "../Queries.ts"

interface Numbers {
  readonly oldLine: number | null
  readonly newLine: number | null
}

/** A line of a file in a version of a merge request: an added one has no old number, a removed one no new one. */
export interface VersionLine extends Numbers {
  readonly baseSha: string
  readonly startSha: string
  readonly headSha: string
  readonly oldPath: string
  readonly newPath: string
}

const hunkStart = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/

/** Where a line stands: an added one stands before a line of the old file, a removed one before one of the new file. */
interface Standing {
  readonly before: number
  readonly after: number
  /** Whether that is behind all that the diff shows, where the file may have ended. */
  readonly isBehind: boolean
}

/**
 * Where the line with these numbers stands by a diff, which shows it or has it unchanged before, between or behind what it shows; undefined
 * where it does not.
 */
export const standingIn = (text: string, { newLine, oldLine }: Numbers): Standing | undefined => {
  let [before, after] = [1, 1]
  const standing = (isBehind = false): Standing => ({ before: oldLine ?? before, after: newLine ?? after, isBehind })
  /** Whether it lies in what is left out between here and this line of the old file. */
  const isLeftOut = (next: number): boolean =>
    oldLine !== null && newLine !== null && oldLine >= before && oldLine < next && newLine - oldLine === after - before
  for (const line of text.split("\n")) {
    const [, old, young] = hunkStart.exec(line) ?? []
    if (old !== undefined) {
      if (isLeftOut(Number(old))) return standing()
      ;[before, after] = [Number(old), Number(young)]
    } else if (line.startsWith("+")) {
      if (oldLine === null && newLine === after) return standing()
      after++
    } else if (line.startsWith("-")) {
      if (newLine === null && oldLine === before) return standing()
      before++
    } else if (line.startsWith(" ")) {
      if (oldLine === before && newLine === after) return standing()
      before++
      after++
    }
  }
  return isLeftOut(Number.POSITIVE_INFINITY) ? standing(true) : undefined
}

const lineFeed = 0x0a

/** Whether a file has a line with this number on both sides, where it has it on one. */
const hasLine = Effect.fnUntraced(function* (repository: Repository, { aId, isDeleted, isNew }: DiffEntry, line: number) {
  if (isNew || isDeleted || line < 1) return false
  let [ends, isOpen] = [0, false]
  const content = Stream.takeUntil((yield* Objects).stream(repository, aId), (bytes) => {
    for (const byte of bytes) if (byte === lineFeed) ends++
    isOpen = bytes.at(-1) !== lineFeed
    return ends >= line
  })
  yield* Stream.runDrain(content)
  return line <= ends + (isOpen ? 1 : 0)
}, Effect.orDie)

/** What the reference knows a line of a file by. */
const lineCodeOf = (path: string, { after, before }: Standing): string => `${hash("sha1", path)}_${before}_${after}`

/** The code of a line, by which the reference knows it; undefined where no version of the merge request has it in a file that it changes. */
export const findLine = Effect.fnUntraced(function* ({ iid, projectId }: MergeRequestKey, line: VersionLine) {
  const { baseSha, headSha, newPath, oldPath, startSha } = line
  // Git would refuse other paths, not only find nothing.
  if (!isFilePath(oldPath) || !isFilePath(newPath)) return undefined
  const shas = { base_sha: baseSha, head_sha: headSha, start_sha: startSha }
  if (!(yield* MergeRequestQueries.use((requests) => requests.hasVersion({ iid, project_id: projectId }, shas)))) return undefined
  const repository = (yield* Repositories).of(projectId)
  const wanted = { from: baseSha, to: headSha, limits: versionLimits, paths: [oldPath, newPath] }
  const { entries } = yield* Effect.orDie(diff(repository, wanted))
  const file = entries.find((entry) => entry.oldPath === oldPath && entry.newPath === newPath)
  if (file === undefined || file.isBinary || file.diff === "") return undefined
  const standing = standingIn(file.diff, line)
  if (standing === undefined) return undefined
  const isKnown = !standing.isBehind || (yield* hasLine(repository, file, standing.before))
  return isKnown ? lineCodeOf(newPath, standing) : undefined
})
