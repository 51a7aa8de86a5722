import { Effect } from "effect"
import type { Repository } from "../../git/Repository.ts"
import { fileAt } from "../../repositories/Code.ts"

/** Configurations of more bytes are not read: those that are refused for their size are far smaller. */
const maxBytes = 8 * 1024 * 1024

/** The text of a file of a commit; undefined where there is none, or it is a link or larger than any configuration. */
export const textAt = Effect.fnUntraced(function* (repository: Repository, commit: string, path: string) {
  const bound = { limit: maxBytes, orTooLarge: () => undefined }
  const file = yield* Effect.orElseSucceed(fileAt(repository, { commit, path }, bound), () => undefined)
  return file === undefined || file.isLink ? undefined : file.content.toString("utf8")
})
