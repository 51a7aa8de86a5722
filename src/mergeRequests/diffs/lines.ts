import { Effect } from "effect"
import { diff } from "../../git/diff/diff.ts"
import { versionLimits } from "../../git/diff/versions.ts"
import { Repositories } from "../../git/Repositories.ts"
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

/** Whether a diff shows the line with these numbers. */
export const showsLine = (text: string, { newLine, oldLine }: Numbers): boolean => {
  let [before, after] = [0, 0]
  for (const line of text.split("\n")) {
    const [, old, young] = hunkStart.exec(line) ?? []
    if (old !== undefined) [before, after] = [Number(old), Number(young)]
    else if (line.startsWith("+")) {
      if (oldLine === null && newLine === after) return true
      after++
    } else if (line.startsWith("-")) {
      if (newLine === null && oldLine === before) return true
      before++
    } else if (line.startsWith(" ")) {
      if (oldLine === before && newLine === after) return true
      before++
      after++
    }
  }
  return false
}

/** Whether a version of a merge request shows the line. */
export const hasLine = Effect.fnUntraced(function* ({ iid, projectId }: MergeRequestKey, line: VersionLine) {
  const { baseSha, headSha, newPath, oldPath, startSha } = line
  // Git would refuse other paths, not only find nothing.
  if (!isFilePath(oldPath) || !isFilePath(newPath)) return false
  const shas = { base_sha: baseSha, head_sha: headSha, start_sha: startSha }
  if (!(yield* MergeRequestQueries.use((requests) => requests.hasVersion({ iid, project_id: projectId }, shas)))) return false
  const repository = (yield* Repositories).of(projectId)
  const wanted = { from: baseSha, to: headSha, limits: versionLimits, paths: [oldPath, newPath] }
  const { entries } = yield* Effect.orDie(diff(repository, wanted))
  const file = entries.find((entry) => entry.oldPath === oldPath && entry.newPath === newPath)
  return file !== undefined && !file.isBinary && showsLine(file.diff, line)
})
