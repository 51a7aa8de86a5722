import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { mergeNow, notAllowed } from "#src/mergeRequests/merging/merge.ts"
import { MergeRequestQueries } from "#src/mergeRequests/Queries.ts"
import { Projects, principalOf } from "#src/projects/Projects.ts"
import { Users } from "#src/users/Users.ts"
import { field, picked } from "#test/support/exactly.ts"
import type { Received, Sent } from "#test/support/service.ts"
import { iidOf, useMergeRequests } from "../useMergeRequests.ts"

const { commit, get, member, newProject, open, pathOf, remove, service } = useMergeRequests()
const { request } = service

const blocksOf = (projectId: number, iid: number, sent: Sent = {}) => request("GET", pathOf(projectId, iid, "/blocks"), sent)
const block = (projectId: number, iid: number, blocking: unknown, sent: Sent = {}) =>
  request("POST", pathOf(projectId, iid, "/blocks"), { json: { blocking_merge_request_id: blocking }, ...sent })
const unblock = (projectId: number, iid: number, id: unknown) => request("DELETE", pathOf(projectId, iid, `/blocks/${id}`))
const idOf = ({ body }: Received) => field(body, "id")
const statusOf = async (projectId: number, iid: number) => field((await get(projectId, iid)).body, "detailed_merge_status")
/** A merge request of another branch of the project. */
const another = async (projectId: number, branch: string) => {
  await commit(projectId, branch, { [`${branch}.txt`]: "a\n" })
  return open(projectId, { source_branch: branch })
}
const refusal = (status: number, message: unknown) => ({ status, body: { message } })

it("two that are to wait for each other at the same time do not both", async () => {
  const id = await newProject("blocks-at-once")
  const [one, other] = [await open(id), await another(id, "other")]
  for (let round = 0; round < 5; round++) {
    const made = await Promise.all([block(id, 1, idOf(other)), block(id, 2, idOf(one))])
    const answers = made.map(({ body, status }) => (status === 201 ? "made" : { status, body }))
    const circular = refusal(400, { base: ["Merge requests cannot block each other"] })
    expect(answers).toContainEqual(circular)
    const left = await Promise.all([blocksOf(id, 1), blocksOf(id, 2)])
    const lengths = left.map(({ body }) => (Array.isArray(body) ? body.length : body))
    expect(lengths).toEqual(answers.map((answer) => (answer === "made" ? 1 : 0)))
    for (const [index, { body, status }] of made.entries()) if (status === 201) await unblock(id, index + 1, field(body, "id"))
  }
})

describe("a merge request that waits for another one", () => {
  it("is blocked until that is merged, which a list and the status tell", async () => {
    const id = await newProject("blocks")
    const [blocked, blocking] = [await open(id), await another(id, "first")]
    const made = await block(id, 1, idOf(blocking))
    expect(made.status).toBe(201)
    const { body, headers } = await blocksOf(id, 1)
    expect([headers.get("x-total"), body]).toEqual(["1", [made.body]])
    expect(made.body).toEqual({
      id: expect.any(Number),
      blocking_merge_request: expect.objectContaining({ id: idOf(blocking), detailed_merge_status: "mergeable" }),
      blocked_merge_request: expect.objectContaining({ id: idOf(blocked), detailed_merge_status: "merge_request_blocked" }),
      project_id: id
    })
    expect(await statusOf(id, 1)).toBe("merge_request_blocked")
    expect(await request("PUT", pathOf(id, 1, "/merge"))).toMatchObject(refusal(405, "405 Method Not Allowed"))
    await request("PUT", pathOf(id, 2, "/merge"))
    expect(await statusOf(id, 1)).not.toBe("merge_request_blocked")
    expect((await request("PUT", pathOf(id, 1, "/merge"))).status).toBe(200)
    expect((await blocksOf(id, 1)).body).toHaveLength(1)
  })

  it("is not merged by who saw it before it had to wait", async () => {
    const id = await newProject("blocks-late")
    const [, blocking] = [await open(id), await another(id, "first")]
    const merging = await service.run(
      Effect.gen(function* () {
        const row = yield* MergeRequestQueries.use(({ find }) => find(id, 1))
        const merger = yield* Users.use((users) => users.find(1))
        const found = yield* Projects.use((projects) => projects.find(String(id), 1))
        if (row === undefined || merger === undefined || found === undefined) return expect.unreachable("It is there")
        const principal = principalOf({ user: merger }, found.role)
        return { row, merger, found: { ...found, principal }, externalUrl: service.url }
      })
    )
    await block(id, 1, idOf(blocking))
    expect(await service.run(Effect.flip(mergeNow(merging, { removesSourceBranch: null })))).toBe(notAllowed)
    await request("DELETE", pathOf(id, 2))
    await service.run(mergeNow(merging, { removesSourceBranch: null }))
    expect((await block(id, 1, idOf(blocking))).status).toBe(404)
  })

  it("waits no more when the block is taken away, or what it waited for", async () => {
    const id = await newProject("blocks-removed")
    const [, first, second] = [await open(id), await another(id, "first"), await another(id, "second")]
    const made = await block(id, 1, idOf(first))
    await block(id, 1, idOf(second))
    expect((await unblock(id, 1, idOf(made))).status).toBe(204)
    expect(await unblock(id, 1, idOf(made))).toMatchObject(refusal(404, "404 Not found"))
    expect(await statusOf(id, 1)).toBe("merge_request_blocked")
    await remove(id, iidOf(second))
    expect([await statusOf(id, 1), (await blocksOf(id, 1)).body]).toEqual(["mergeable", []])
  })
})

describe("a block", () => {
  it("is refused for itself, twice, in a circle, and for what is not there", async () => {
    const id = await newProject("blocks-circle")
    const [one, two, three] = [await open(id), await another(id, "second"), await another(id, "third")]
    expect(await block(id, 1, idOf(one))).toMatchObject(refusal(400, { base: ["This block is self-referential"] }))
    expect((await block(id, 1, idOf(two))).status).toBe(201)
    expect(await block(id, 1, idOf(two))).toMatchObject(refusal(409, "This block already exists"))
    expect((await block(id, 2, idOf(three))).status).toBe(201)
    expect(await block(id, 3, idOf(one))).toMatchObject(refusal(400, { base: ["Merge requests cannot block each other"] }))
    expect(await block(id, 1, 99_999)).toMatchObject(refusal(404, "404 Not found"))
    expect(await block(id, 1, undefined)).toMatchObject({
      status: 400,
      body: { error: "blocking_merge_request_id is missing" }
    })
  })

  it("does not show what the caller may not see, which blocks all the same", async () => {
    const [id, hidden] = [await newProject("blocks-shown", { visibility: "public" }), await newProject("blocks-hidden")]
    const [, blocking] = [await open(id), await open(hidden)]
    const developer = await member(id, "developer", "blocks-developer")
    const { token } = developer
    expect(await block(id, 1, idOf(blocking), { token })).toMatchObject(refusal(404, "404 Not found"))
    await block(id, 1, idOf(blocking))
    const [shown] = [(await blocksOf(id, 1, { token: null })).body].flat()
    expect(Object.keys(Object(shown))).toEqual(["id", "blocked_merge_request", "project_id"])
    expect(picked((await get(id, 1, { token })).body, "detailed_merge_status")).toEqual({
      detailed_merge_status: "merge_request_blocked"
    })
  })
})
