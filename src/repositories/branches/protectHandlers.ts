import { Effect } from "effect"
import { forbidden } from "../../http/answer/errors.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { guardedRoute } from "../../http/Endpoint.ts"
import { defined } from "../../kernel/defined.ts"
import { protectBranch as protectName, unprotectBranch as unprotectName } from "../../projects/ProjectProtections.ts"
import { can } from "../../projects/Projects.ts"
import { type OpenRepository, openRepository } from "../openRepository.ts"
import { requireBranch } from "../refs/requireRef.ts"
import { protectBranch, unprotectBranch } from "./contract.ts"
import { answerBranch } from "./view.ts"

/** The branch of the name, if the caller may say who pushes to it. */
const requireProtectable = Effect.fnUntraced(function* ({ project, repository, principal }: OpenRepository, name: string | null) {
  return can("manage_protected_refs", principal, project) ? yield* requireBranch(repository, name) : yield* forbidden
})

const protect = guardedRoute(
  protectBranch,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const branch = yield* requireProtectable(guarded, parameters.branch)
    const { developers_can_merge: merge, developers_can_push: push } = parameters
    const may = defined({ push: push ?? undefined, merge: merge ?? undefined })
    yield* awaitReadModels(yield* Effect.orDie(protectName(guarded.project.id, branch.name, may)))
    return yield* answerBranch(guarded, branch, request)
  })
)

const unprotect = guardedRoute(
  unprotectBranch,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const branch = yield* requireProtectable(guarded, parameters.branch)
    const ended = yield* Effect.orDie(unprotectName(guarded.project.id, branch.name))
    if (ended !== undefined) yield* awaitReadModels(ended)
    return yield* answerBranch(guarded, branch, request)
  })
)

export const branchProtectRoutes = [protect, unprotect]
