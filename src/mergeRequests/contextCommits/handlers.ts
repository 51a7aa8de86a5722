import { Effect } from "effect"
import { type Commit, readCommits } from "../../git/objects/commit.ts"
import { Repositories } from "../../git/Repositories.ts"
import { badRequest, notFound } from "../../http/answer/errors.ts"
import { pageIn } from "../../http/answer/pagination.ts"
import { noContent, ok, page } from "../../http/answer/Reply.ts"
import { route } from "../../http/Endpoint.ts"
import { handle, load } from "../../platform/Commands.ts"
import { changes } from "../../platform/repeats/repeats.ts"
import { type ReadableProject, requireProject } from "../../projects/Projects.ts"
import { commitOf, presentCommit } from "../../repositories/Code.ts"
import { type OfMergeRequest, requireChangeable, requireIdentity } from "../requireMergeRequest.ts"
import { contextCommitsAggregate, maxContextCommits } from "./aggregate.ts"
import { addContextCommits, listContextCommits, maxCommitsOfRequest, removeContextCommits } from "./contract.ts"

const refused = {
  ContextCommitsExist: ({ shas }: { readonly shas: ReadonlyArray<string> }) =>
    Effect.fail(badRequest(`Context commits: [${shas.map((sha) => `"${sha}"`).join(", ")}] are already created`)),
  TooManyContextCommits: ({ limit }: { readonly limit: number }) =>
    Effect.fail(badRequest(`A merge request has at most ${limit} context commits`))
} as const

/** Those of these commits that the project has, in that order. */
const commitsOf = Effect.fnUntraced(function* ({ project }: ReadableProject, shas: ReadonlyArray<string>) {
  return yield* Effect.orDie(readCommits((yield* Repositories).of(project.id), shas))
})

/** The full ids of commits that a request names, each once. */
const requireCommits = Effect.fnUntraced(function* ({ project }: ReadableProject, names: ReadonlyArray<string>, limit: number) {
  if (names.length > limit) return yield* badRequest(`Context commits array size should not be more than ${limit}`)
  const found = yield* Effect.forEach(names, (name) => commitOf(project, name), { concurrency: maxCommitsOfRequest })
  const shas = [...new Set(found)].filter((sha) => sha !== undefined)
  return shas.length === names.length ? shas : yield* badRequest("One or more context commits' sha is not valid.")
})

const presentAll = (commits: ReadonlyArray<Commit>, { project }: ReadableProject, { request }: Pick<OfMergeRequest, "request">) =>
  commits.map((commit) => presentCommit(commit, `${request.externalUrl}/${project.path_with_namespace}`))

/** Newest first. Gap: a commit that was removed from the repository meanwhile is left out. */
const list = route(
  listContextCommits,
  Effect.fnUntraced(function* (input) {
    const { parameters } = input
    const found = yield* requireProject(input)
    const { iid } = yield* requireIdentity(found, parameters.merge_request_iid)
    const { state } = yield* load(contextCommitsAggregate, { projectId: found.project.id, iid })
    const commits = yield* commitsOf(found, state)
    const newestFirst = commits.toSorted((one, other) => other.committer.seconds - one.committer.seconds)
    return page(presentAll(pageIn(newestFirst, parameters), found, input), commits.length)
  })
)

const post = route(
  addContextCommits,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* requireProject(input)
    const key = { projectId: found.project.id, iid: parameters.merge_request_iid ?? (yield* notFound) }
    const add = Effect.gen(function* () {
      yield* requireChangeable(found, key.iid, caller)
      const shas = yield* requireCommits(found, parameters.commits ?? [], maxCommitsOfRequest)
      return yield* Effect.catchTags(handle(contextCommitsAggregate, key, { _tag: "Add", shas, by: caller.user.id }), refused)
    })
    const { events } = yield* changes(contextCommitsAggregate, key, add)
    const added = events.flatMap(({ shas }) => shas)
    return ok(presentAll(yield* commitsOf(found, added), found, input))
  })
)

const remove = route(
  removeContextCommits,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* requireProject(input)
    const key = { projectId: found.project.id, iid: parameters.merge_request_iid ?? (yield* notFound) }
    const forget = Effect.gen(function* () {
      yield* requireChangeable(found, key.iid, caller)
      const shas = yield* requireCommits(found, parameters.commits ?? [], maxContextCommits)
      return yield* Effect.catchTags(handle(contextCommitsAggregate, key, { _tag: "Remove", shas, by: caller.user.id }), refused)
    })
    yield* changes(contextCommitsAggregate, key, forget)
    return noContent
  })
)

export const contextCommitRoutes = [list, post, remove]
