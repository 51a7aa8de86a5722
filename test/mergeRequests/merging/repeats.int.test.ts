import { Effect } from "effect"
import { expect, it } from "vitest"
import { awaitMergeRequest } from "#src/mergeRequests/awaitMergeRequest.ts"
import { mergeRequestAggregate } from "#src/mergeRequests/decisions/aggregate.ts"
import { deleteMergeRequest } from "#src/mergeRequests/writes/change.ts"
import { completeMerge } from "#src/mergeRequests/writes/complete.ts"
import { handle } from "#src/platform/Commands.ts"
import { type Move, moveRefs } from "#src/pushes/Pushes.ts"
import { field } from "#test/support/exactly.ts"
import { forgetAnswer } from "#test/support/forgetAnswer.ts"
import { makeKills } from "#test/support/requests/kills.ts"
import { useMergeRequests } from "../useMergeRequests.ts"

const kills = makeKills()
const { commit, newProject, open, pathOf, service } = useMergeRequests({}, kills.interceptors)

it("is planned anew by a repeat where the target branch moved after a run that was cut short", async () => {
  const id = await newProject("merge-repeated")
  await open(id)
  const send = () => service.request("PUT", pathOf(id, 1, "/merge"), { headers: { "idempotency-key": "merge" } })
  kills.begin("merge", { step: 0, isBefore: false })
  expect((await send()).status).toBe(500)
  kills.end("merge")
  await forgetAnswer(service, "merge")
  const target = await commit(id, "main", { "meanwhile.txt": "meanwhile\n" })
  const { body, status } = await send()
  const merged = field(body, "merge_commit_sha")
  const parents = field((await service.request("GET", `/projects/${id}/repository/commits/${merged}`)).body, "parent_ids")
  const topic = field((await service.request("GET", `/projects/${id}/merge_requests/1`)).body, "sha")
  expect([status, field(body, "state"), parents]).toEqual([200, "merged", [target, topic]])
})

it("is no more where the merge request was deleted while its target branch moved", async () => {
  const id = await newProject("merge-deleted")
  await open(id)
  const tip = async (branch: string) =>
    String(field(field((await service.request("GET", `/projects/${id}/repository/branches/${branch}`)).body, "commit"), "id"))
  const [headSha, targetFrom] = [await tip("topic"), await tip("main")]
  const key = { projectId: id, iid: 1 }
  const plan = { by: 1, headSha, targetBranch: "main", targetFrom, targetTo: headSha, mergeSha: headSha }
  const planned = { ...plan, squashSha: null, squash: false, removesSourceBranch: null }
  await service.run(Effect.orDie(handle(mergeRequestAggregate, key, { _tag: "PlanMerge", plan: planned })))
  const move: Move = (changes) => Effect.andThen(moveRefs(id, changes), Effect.orDie(deleteMergeRequest(key)))
  expect(await service.run(completeMerge(key, move))).toBe(false)
  await service.run(awaitMergeRequest(key))
  expect([await tip("main"), (await service.request("PUT", pathOf(id, 1, "/merge"))).status]).toEqual([headSha, 404])
})

it("is never a fault of the service where the project is deleted at the same time", async () => {
  for (let round = 0; round < 4; round++) {
    const id = await newProject(`merge-in-deleted-${round}`)
    await open(id)
    const merging = service.request("PUT", pathOf(id, 1, "/merge"))
    const answers = [(await service.request("DELETE", `/projects/${id}`)).status, (await merging).status]
    expect([
      [202, 200],
      [202, 404],
      [202, 405],
      [202, 422]
    ]).toContainEqual(answers)
  }
})
