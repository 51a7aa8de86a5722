import { Effect } from "effect"
import { alternates } from "../process/alternates.ts"
import { consume } from "../process/consume.ts"
import type { Repository } from "../Repository.ts"

const args = ["rev-list", "--objects", "--in-commit-order", "--stdin"]
/** Looking for a directory in order to name it may take this many milliseconds. */
const timeLimit = 10_000

/** Where the objects lie among which a tree is looked for. */
export interface TreePlace {
  readonly repository: Repository
  /** The folder of the objects, which is that of the repository or stands in front of it. */
  readonly folder: string
}

/**
 * The path of a tree in the first commit or tree that has it, of those to which some ids lead; empty for a root. Each tree is looked at once,
 * so it does not matter how far they expand. Undefined where it is not found in time.
 */
export const findDirectory = (
  { folder, repository }: TreePlace,
  tree: string,
  tips: ReadonlyArray<string>
): Effect.Effect<string | undefined> => {
  const start = `${tree} `
  let rest = ""
  let found: string | undefined
  const look = (chunk: Buffer) => {
    const lines = (rest + chunk.toString("latin1")).split("\n")
    rest = lines.pop() ?? ""
    found = lines.find((line) => line.startsWith(start))
    return found === undefined ? undefined : "enough"
  }
  const env = { GIT_OBJECT_DIRECTORY: folder, ...alternates([repository]) }
  return consume(repository, args, look, { env, timeLimit, input: `${tips.join("\n")}\n` }).pipe(
    Effect.map(() => (found === undefined ? undefined : Buffer.from(found.slice(start.length), "latin1").toString("utf8"))),
    Effect.timeoutOrElse({ duration: timeLimit, orElse: () => Effect.undefined }),
    Effect.catchTag("GitFailed", () => Effect.undefined),
    Effect.catchDefect(() => Effect.undefined)
  )
}
