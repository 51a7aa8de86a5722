import { Deferred, Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { PushLocks } from "#src/git/refs/pushLocks.ts"
import { unauthorized } from "#src/http/answer/errors.ts"
import { mergeNow } from "#src/mergeRequests/merging/merge.ts"
import { MergeRequestQueries } from "#src/mergeRequests/Queries.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { Projects, principalOf } from "#src/projects/Projects.ts"
import { Users } from "#src/users/Users.ts"
import { field, picked } from "#test/support/exactly.ts"
import { until } from "#test/support/until.ts"
import { iidOf, useMergeRequests } from "../useMergeRequests.ts"

const { commit, get, member, newProject, open, pathOf, service } = useMergeRequests()
const merge = (projectId: number, iid: number) => service.request("PUT", pathOf(projectId, iid, "/merge"))

/** A project with merge requests that each change a file: its id. All can be merged. */
const projectOf = async (name: string, files: ReadonlyArray<string>): Promise<number> => {
  const id = await newProject(name)
  for (const [index, file] of files.entries()) {
    await commit(id, `change-${index}`, { [file]: `${index}\n` })
    expect(iidOf(await open(id, { source_branch: `change-${index}` }))).toBe(index + 1)
  }
  await until(async () => (await allOf(id, files)).every(({ detailed_merge_status: status }) => status === "mergeable"))
  return id
}

const allOf = async (id: number, files: ReadonlyArray<unknown>) => {
  const answers = await Promise.all(files.map((_, index) => get(id, index + 1)))
  return answers.map(({ body }) => picked(body, "state", "detailed_merge_status", "merge_error"))
}

/** How often each of these events was recorded for merge requests of the project. */
const countsOf = async (id: number) => {
  const counted = Sql.use(({ client }) =>
    query(
      () => client<Array<{ type: string; times: number }>>`
        select type, count(*)::int as times from chronoforge.events
        where stream like ${`mergeRequest-${id}-%`} and type in ('MergePlanned', 'MergeFailed', 'MergeRequestMerged') group by type`
    )
  )
  const rows = await service.run(counted)
  return Object.fromEntries(rows.map(({ times, type }) => [type, times]))
}

it("of twelve into one branch at once each is planned once", async () => {
  const files = Array.from({ length: 12 }, (_, index) => `file-${index}.txt`)
  const id = await projectOf("turns", files)
  const statuses = (await Promise.all(files.map((_, index) => merge(id, index + 1)))).map(({ status }) => status)
  expect(statuses).toEqual(files.map(() => 200))
  expect(await countsOf(id)).toEqual({ MergePlanned: 12, MergeRequestMerged: 12 })
})

it("of two at once that change the same file one is refused, and says that it conflicts", async () => {
  const files = ["same.txt", "same.txt"]
  const id = await projectOf("same-file", files)
  const answers = await Promise.all([merge(id, 1), merge(id, 2)])
  expect(answers.map(({ body, status }) => (status === 200 ? status : [status, body])).sort()).toEqual([
    200,
    [422, { message: "Branch cannot be merged" }]
  ])
  const settled = (await allOf(id, files)).map((one) => Object.values(one).join(" ")).sort()
  expect(settled).toEqual(["merged not_open ", "opened conflict "])
  expect(await countsOf(id)).toEqual({ MergePlanned: 1, MergeRequestMerged: 1 })
})

it("of two at once, of which one has the commits of the other, each ends with its own", async () => {
  const id = await newProject("stacked")
  const actions = [{ action: "create", file_path: "upper.txt", content: "upper\n" }]
  const json = { branch: "upper", start_branch: "topic", commit_message: "Upper", actions }
  await service.request("POST", `/projects/${id}/repository/commits`, { json })
  await open(id)
  await open(id, { source_branch: "upper" })
  await until(async () => (await allOf(id, [1, 2])).every(({ detailed_merge_status: status }) => status === "mergeable"))
  expect((await merge(id, 1)).status).toBe(200)
  expect((await merge(id, 2)).status).toBe(200)
  const { body } = await service.request("GET", pathOf(id, 2, "/commits"))
  expect([body].flat().map((commit) => field(commit, "title"))).toEqual(["Upper"])
})

it("whoever lost the right to merge while others had their turn is refused", async () => {
  const id = await newProject("rights")
  await open(id)
  const { id: userId } = await member(id, "maintainer", "leaving")
  const leave = Effect.promise(() => service.request("DELETE", `/projects/${id}/members/${userId}`))
  const run = Effect.gen(function* () {
    const [{ turns }, repositories, requests] = [yield* PushLocks, yield* Repositories, yield* MergeRequestQueries]
    const merger = yield* Users.use((users) => users.find(userId))
    const project = yield* Projects.use((projects) => projects.find(String(id), userId))
    const row = yield* requests.find(id, 1)
    if (merger === undefined || project === undefined || row === undefined) return expect.unreachable()
    const found = { ...project, principal: principalOf({ user: merger }, project.role) }
    const gate = yield* Deferred.make<void>()
    const others = turns.inRefTurn(repositories.of(id), "refs/heads/main", () => Deferred.await(gate))
    const holding = yield* Effect.forkChild(others, { startImmediately: true })
    const merging = mergeNow({ row, found, merger, externalUrl: "http://forge.example.com" }, { removesSourceBranch: null })
    const waiting = yield* Effect.forkChild(Effect.flip(merging), { startImmediately: true })
    yield* leave
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.join(holding)
    return yield* Fiber.join(waiting)
  })
  expect(await service.run(run)).toEqual(unauthorized)
})
