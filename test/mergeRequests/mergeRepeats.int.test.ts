import { expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { forgetAnswer } from "#test/support/forgetAnswer.ts"
import { makeKills } from "#test/support/requests/kills.ts"
import { useMergeRequests } from "./useMergeRequests.ts"

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
