import { Effect } from "effect"
import { Repositories } from "../../git/Repositories.ts"
import type { Repository } from "../../git/Repository.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import { defaultBranch, readRef } from "../../git/refs/refs.ts"
import { ok } from "../../http/answer/Reply.ts"
import { route } from "../../http/Endpoint.ts"
import { type ProjectRow, requireProject } from "../Projects.ts"
import { readLanguages } from "./contract.ts"
import { Languages } from "./Languages.ts"
import { sharesOf } from "./LanguageTally.ts"

const counted = Effect.fnUntraced(function* (repository: Repository, { default_branch }: ProjectRow) {
  const branch = default_branch ?? (yield* defaultBranch(repository))
  const tip = branch === undefined ? undefined : yield* readRef(repository, branchRef(branch))
  return tip === undefined ? [] : yield* Languages.use((languages) => languages.of(repository, tip.id))
})

/** Gap: the reference tells the first five languages only; here all of them are told. */
const read = route(
  readLanguages,
  Effect.fnUntraced(function* (input) {
    const { project } = yield* requireProject(input, "read_code")
    const { exists, of } = yield* Repositories
    // A repository that was removed meanwhile has no languages.
    const bytes = yield* Effect.catchTag(counted(of(project.id), project), "GitFailed", (failure) =>
      Effect.flatMap(exists(project.id), (isThere) => (isThere ? Effect.die(failure) : Effect.succeed([])))
    )
    return ok(sharesOf(bytes))
  })
)

export const languageRoutes = [read]
