import { Effect } from "effect"
import { commitsSince } from "../../git/history/commitsSince.ts"
import { readCommits } from "../../git/objects/commit.ts"
import { Repositories } from "../../git/Repositories.ts"
import { pageIn } from "../../http/answer/pagination.ts"
import { page } from "../../http/answer/Reply.ts"
import { route } from "../../http/Endpoint.ts"
import { requireProject } from "../../projects/Projects.ts"
import { presentCommit } from "../../repositories/Code.ts"
import { requireMergeRequest } from "../requireMergeRequest.ts"
import { listCommits } from "./contract.ts"
import { unlessLost } from "./lostCommits.ts"

/** So many of the newest commits are listed: more are not counted in a version either. */
const maxCommits = 10_000

/** The commits of the last version: none before the first. */
export const commits = route(
  listCommits,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const found = yield* requireProject(input)
    const {
      base_sha: base,
      project_id,
      sha: head,
      start_sha: start
    } = yield* requireMergeRequest(found, parameters.merge_request_iid)
    if (base === null || start === null) return page([], 0)
    const repository = (yield* Repositories).of(project_id)
    const reading = Effect.gen(function* () {
      const { ids } = yield* commitsSince(repository, { base, start, head, limit: maxCommits })
      return [ids, yield* readCommits(repository, pageIn(ids, parameters))] as const
    })
    const [ids, shown] = yield* unlessLost(repository, [base, start, head], reading)
    const projectUrl = `${request.externalUrl}/${found.project.path_with_namespace}`
    return page(
      shown.map((commit) => presentCommit(commit, projectUrl)),
      ids.length
    )
  })
)
