import { Effect } from "effect"
import { type Commit, readCommits } from "../../git/objects/commit.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { badRequest, notFound } from "../../http/answer/errors.ts"
import { pageIn } from "../../http/answer/pagination.ts"
import { noContent, ok, page } from "../../http/answer/Reply.ts"
import { route } from "../../http/Endpoint.ts"
import { handle, load } from "../../platform/Commands.ts"
import { changes } from "../../platform/repeats.ts"
import { type ReadableProject, requireProject } from "../../projects/Projects.ts"
import { commitOf, presentCommit } from "../../repositories/Code.ts"
import { type OfMergeRequest, requireChangeable, requireIdentity } from "../requireMergeRequest.ts"
import { contextCommitsAggregate, maxContextCommits, type State } from "./aggregate.ts"
import { addContextCommits, listContextCommits, maxCommitsOfRequest, removeContextCommits } from "./contract.ts"

const refused = {
  ContextCommitsExist: ({ shas }: { readonly shas: ReadonlyArray<string> }) =>
    Effect.fail(badRequest(`Context commits: [${shas.map((sha) => `"${sha}"`).join(", ")}] are already created`)),
  TooManyContextCommits: ({ limit }: { readonly limit: number }) =>
    Effect.fail(badRequest(`A merge request has at most ${limit} context commits`))
} as const

const invalid = badRequest("One or more context commits' sha is not valid.")

/** Those of these commits that the project has, in that order. */
const commitsOf = Effect.fnUntraced(function* ({ project }: ReadableProject, shas: ReadonlyArray<string>) {
  return yield* readCommits((yield* Repositories).of(project.id), shas)
})

/** So many commits are looked for at a time. */
const concurrency = 20

/** The full ids of commits that a request names, each once. What is shown already is known by its id, also if it is gone meanwhile. */
const requireIds = Effect.fnUntraced(function* ({ project }: ReadableProject, names: ReadonlyArray<string>, shown: State) {
  const idOf = (name: string) => (shown.some(({ sha }) => sha === name) ? Effect.succeed(name) : commitOf(project, name))
  const ids = [...new Set(yield* Effect.forEach(names, idOf, { concurrency }))].filter((sha) => sha !== undefined)
  return ids.length === names.length ? ids : yield* invalid
})

const requireNoMore = (names: ReadonlyArray<string>, limit: number) =>
  names.length > limit ? badRequest(`Context commits array size should not be more than ${limit}`) : Effect.void

const presentAll = (commits: ReadonlyArray<Commit>, { project }: ReadableProject, externalUrl: string) =>
  commits.map((commit) => presentCommit(commit, `${externalUrl}/${project.path_with_namespace}`))

/** Newest first. Gap: a commit that was removed from the repository meanwhile is left out of its page. */
const list = route(
  listContextCommits,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const found = yield* requireProject(input)
    const { iid } = yield* requireIdentity(found, parameters.merge_request_iid)
    const { state } = yield* load(contextCommitsAggregate, { projectId: found.project.id, iid })
    const newestFirst = state.toSorted((one, other) => other.committedAt - one.committedAt)
    const shas = pageIn(newestFirst, parameters).map(({ sha }) => sha)
    const commits = yield* Effect.orDie(commitsOf(found, shas))
    return page(presentAll(commits, found, request.externalUrl), state.length)
  })
)

/** The merge request of a request that changes what is shown beside its commits, with what is shown. */
const requireShown = Effect.fnUntraced(function* (input: OfMergeRequest & { readonly caller: Caller }) {
  const { caller, parameters } = input
  const found = yield* requireProject(input)
  const iid = parameters.merge_request_iid ?? (yield* notFound)
  const key = { projectId: found.project.id, iid }
  const shown = Effect.andThen(requireChangeable(found, iid, caller), load(contextCommitsAggregate, key))
  return { found, key, shown: Effect.map(shown, ({ state }) => state) }
})

const post = route(
  addContextCommits,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const names = parameters.commits ?? []
    yield* requireNoMore(names, maxCommitsOfRequest)
    const { found, key, shown } = yield* requireShown(input)
    const add = Effect.gen(function* () {
      const shas = yield* requireIds(found, names, yield* shown)
      // One that is too large to be shown is refused before it is stored.
      const commits = yield* Effect.catchTag(commitsOf(found, shas), "GitFailed", (failure) =>
        failure.exceeded === "output" ? invalid : Effect.die(failure)
      )
      const added = commits.map(({ committer, id }) => ({ sha: id, committedAt: committer.seconds }))
      return yield* Effect.catchTags(
        handle(contextCommitsAggregate, key, { _tag: "Add", commits: added, by: caller.user.id }),
        refused
      )
    })
    const { events } = yield* changes(contextCommitsAggregate, key, add)
    const shas = events.flatMap((event) => (event._tag === "ContextCommitsAdded" ? event.commits : [])).map(({ sha }) => sha)
    return ok(presentAll(yield* Effect.orDie(commitsOf(found, shas)), found, request.externalUrl))
  })
)

const removal = route(
  removeContextCommits,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const names = parameters.commits ?? []
    yield* requireNoMore(names, maxContextCommits)
    const { found, key, shown } = yield* requireShown(input)
    const remove = Effect.gen(function* () {
      const shas = yield* requireIds(found, names, yield* shown)
      return yield* Effect.catchTags(handle(contextCommitsAggregate, key, { _tag: "Remove", shas, by: caller.user.id }), refused)
    })
    yield* changes(contextCommitsAggregate, key, remove)
    return noContent
  })
)

export const contextCommitRoutes = [list, post, removal]
