import { Effect } from "effect"
import type { Repository } from "../../git/Repository.ts"
import { fileAt } from "../../repositories/Code.ts"
import { maxFileLength } from "../config/limits.ts"

/** Whatever has more is longer than a configuration may be: no character takes more than three bytes for each of its code units. */
const maxBytes = 3 * maxFileLength

/** The text of a file of a commit: undefined where there is none or it is a link, null where it is too long for a configuration. */
export const textAt = Effect.fnUntraced(function* (repository: Repository, commit: string, path: string) {
  const bound = { limit: maxBytes, orTooLarge: () => "tooLong" }
  const file = yield* Effect.orElseSucceed(fileAt(repository, { commit, path }, bound), () => null)
  if (file === null) return null
  return file === undefined || file.isLink ? undefined : file.content.toString("utf8")
})
