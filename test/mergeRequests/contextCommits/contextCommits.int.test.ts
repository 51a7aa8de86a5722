import { rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { field } from "#test/support/exactly.ts"
import { gitFixture } from "#test/support/git/gitFixtures.ts"
import { answerOf, type Sent } from "#test/support/service.ts"
import { useMergeRequests } from "../useMergeRequests.ts"

const { commit, member, newProject, open, pathOf, service } = useMergeRequests()
const { request } = service

const of = (projectId: number) => pathOf(projectId, 1, "/context_commits")
const list = (projectId: number, query: Readonly<Record<string, string>> = {}, sent: Sent = {}) =>
  request("GET", of(projectId), { query, ...sent })
const add = (projectId: number, commits: unknown, sent: Sent = {}) =>
  request("POST", of(projectId), { json: { commits }, ...sent })
const remove = (projectId: number, commits: unknown, sent: Sent = {}) =>
  request("DELETE", of(projectId), { json: { commits }, ...sent })
const idsOf = (body: unknown) => (Array.isArray(body) ? body.map((each) => field(each, "id")) : body)
const invalid = "One or more context commits' sha is not valid."

it("commits are shown beside those of a merge request until they are taken away", async () => {
  const id = await newProject("context")
  await open(id)
  const [first, second] = [await commit(id, "first", { "a.txt": "a\n" }), await commit(id, "second", { "b.txt": "b\n" })]
  expect(answerOf(await list(id))).toEqual([200, []])
  const { body: shown } = await request("GET", `/projects/${id}/repository/commits/${first}`)
  const made = await add(id, [first])
  expect([made.status, idsOf(made.body)]).toEqual([201, [first]])
  const { stats: _, status: __, last_pipeline: ___, project_id: ____, ...listed } = Object(shown)
  expect(made.body).toEqual([listed])
  expect(idsOf((await add(id, second.slice(0, 10))).body)).toEqual([second])
  const all = await list(id)
  expect([all.headers.get("x-total"), idsOf(all.body)]).toEqual(["2", expect.arrayContaining([first, second])])
  const page = await list(id, { page: "2", per_page: "1" })
  expect(page.body).toEqual([Object(all.body)[1]])
  expect(answerOf(await remove(id, [first]))).toEqual([204, undefined])
  expect(idsOf((await list(id)).body)).toEqual([second])
  expect(answerOf(await remove(id, [first]))).toEqual([204, undefined])
  expect(idsOf((await add(id, `${first},main`)).body)).toHaveLength(2)
})

/** A commit of that time in the repository of a project, which nothing leads to. */
const commitAt = async (projectId: number, seconds: number, message = "Add a file") => {
  const repositories = await service.run(Repositories.use(Effect.succeed))
  const { git, object } = gitFixture(repositories.of(projectId))
  const person = `Ada <ada@example.com> ${seconds} +0000`
  return object("commit", `tree ${git(["rev-parse", "main^{tree}"])}\nauthor ${person}\ncommitter ${person}\n\n${message}\n`)
}

it("the newest are shown first, whenever they were added", async () => {
  const id = await newProject("context-order")
  await open(id)
  const [first, third, second] = [await commitAt(id, 1_000), await commitAt(id, 3_000), await commitAt(id, 2_000)]
  await add(id, [first, third])
  await add(id, [second])
  expect(idsOf((await list(id)).body)).toEqual([third, second, first])
  expect(idsOf((await list(id, { page: "2", per_page: "1" })).body)).toEqual([second])
})

it("one that is too large is refused, and one that is gone is left out and can be taken away", async () => {
  const id = await newProject("context-gone")
  await open(id)
  const large = await commitAt(id, 1_000, "x".repeat(1024 * 1024))
  expect(answerOf(await add(id, ["main", large]))).toEqual([400, { message: invalid }])
  expect((await list(id)).body).toEqual([])
  const sha = await commitAt(id, 2_000)
  await add(id, [sha])
  const { path } = (await service.run(Repositories.use(Effect.succeed))).of(id)
  await rm(join(path, "objects", sha.slice(0, 2), sha.slice(2)))
  await expect.poll(async () => (await list(id)).body).toEqual([])
  expect((await remove(id, [sha])).status).toBe(204)
  expect((await list(id)).headers.get("x-total")).toBe("0")
})

it("what is no commit, is shown already, or is too much is refused and nothing of it is added", async () => {
  const id = await newProject("context-refused")
  await open(id)
  const sha = await commit(id, "other", { "a.txt": "a\n" })
  const refusals = [
    [["0".repeat(40)], { message: invalid }],
    [[sha, "nothing"], { message: invalid }],
    [[sha, sha.slice(0, 12)], { message: invalid }],
    [[`${sha}\n`, ` ${sha}`], { message: invalid }],
    [Array.from({ length: 21 }, () => sha), { message: "Context commits array size should not be more than 20" }],
    [undefined, { error: "commits is missing, commits is empty" }],
    [[], { error: "commits is empty" }],
    ["", { error: "commits is empty" }]
  ] as const
  for (const [commits, body] of refusals) expect([commits, ...answerOf(await add(id, commits))]).toEqual([commits, 400, body])
  expect((await list(id)).body).toEqual([])
  await add(id, [sha])
  expect(answerOf(await add(id, ["main", sha]))).toEqual([400, { message: `Context commits: ["${sha}"] are already created` }])
  expect(answerOf(await remove(id, ["nothing"]))).toEqual([400, { message: invalid }])
  expect(idsOf((await list(id)).body)).toEqual([sha])
  const gone = await request("POST", pathOf(id, 9, "/context_commits"), { json: { commits: [sha] } })
  expect(answerOf(gone)).toEqual([404, { message: "404 Not found" }])
})

it("who may see a merge request sees them, and who may change it changes them", async () => {
  const id = await newProject("context-rights")
  await open(id)
  const sha = await commit(id, "other", { "a.txt": "a\n" })
  await add(id, [sha, "main"])
  const reporter = await member(id, "reporter", "context-reporter")
  expect((await add(id, ["topic"], { token: reporter.token })).status).toBe(403)
  expect((await list(id, {}, { token: reporter.token })).body).toHaveLength(2)
})
