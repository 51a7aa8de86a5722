import { expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { createUser } from "#test/support/people/accounts.ts"
import { useMergeRequests } from "../useMergeRequests.ts"

const { newProject, open, pathOf, service } = useMergeRequests()
const { request } = service

const titlesAt = async (path: string, query: Readonly<Record<string, string>>) => {
  const { body } = await request("GET", path, { query: { scope: "all", ...query } })
  return Array.isArray(body) ? body.map((one) => field(one, "title")) : body
}

it("lists by however many assignees take as long as by a few, and find what has them all", async () => {
  const names = ["anna", "boris", "clara", "dora", "emil"]
  const ids: Array<number> = []
  for (const name of names) ids.push(await createUser(service, name))
  const id = await newProject("many-names", { visibility: "public" })
  await open(id, { title: "All", assignee_ids: ids })
  await open(id, { title: "Four", assignee_ids: ids.slice(0, 4), source_branch: "main", target_branch: "topic" })
  await request("POST", `/projects/${id}/issues`, { json: { title: "All", assignee_ids: ids } })
  await request("POST", `/projects/${id}/issues`, { json: { title: "Four", assignee_ids: ids.slice(0, 4) } })
  await request("POST", `/projects/${id}/issues`, { json: { title: "None" } })
  const many = Array.from({ length: 200 }, (_, index) => `n${index}`)
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["anna,boris,clara", ["Four", "All"]],
    ["anna,boris,clara,DORA,anna,dora", ["Four", "All"]],
    [names.join(","), ["All"]],
    [[...names, "nobody"].join(","), []],
    [many.join(","), []]
  ]
  for (const [assignee_username, expected] of cases) {
    for (const path of [pathOf(id), "/merge_requests", `/projects/${id}/issues`, "/issues"])
      expect([path, await titlesAt(path, { assignee_username })]).toEqual([path, expected])
  }
  const excluded = (names: ReadonlyArray<string>) => ({ "not[assignee_username]": names.join(",") })
  expect(await titlesAt(pathOf(id), excluded(["emil", ...many]))).toEqual(["Four"])
  expect(await titlesAt(pathOf(id), excluded(many))).toEqual(["Four", "All"])
  expect(await titlesAt(`/projects/${id}/issues`, excluded(names))).toEqual(["None", "Four"])
  expect(await titlesAt(`/projects/${id}/issues`, excluded(many))).toEqual(["None", "Four", "All"])
})
