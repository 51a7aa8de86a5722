import { expect, it } from "vitest"
import { useIssues } from "./useIssues.ts"

const { service, add, create, member, newGroup, newProject, person, titlesIn } = useIssues()

it("the issues of a milestone are listed, the newest first, to those who may see them", async () => {
  const group = await newGroup({ visibility: "public" })
  const shown = await newProject({ namespace_id: group, visibility: "public" })
  const hidden = await newProject({ namespace_id: group })
  const [ofShown, other] = [
    await create(`/projects/${shown}/milestones`, { title: "1.0" }),
    await create(`/projects/${shown}/milestones`, { title: "2.0" })
  ]
  const ofGroup = await create(`/groups/${group}/milestones`, { title: "1.0 of all" })
  for (const [title, json] of Object.entries({
    old: { milestone_id: ofShown },
    secret: { milestone_id: ofShown, confidential: true },
    later: { milestone_id: other },
    new: { milestone_id: ofShown },
    wide: { milestone_id: ofGroup }
  }))
    await add(shown, { title, ...json })
  await add(hidden, { title: "hidden", milestone_id: ofGroup })
  const [guest, outsider] = [await member(`projects/${shown}`, "guest"), await person()]

  const inProject = `/projects/${shown}/milestones/${ofShown}/issues`
  expect(await titlesIn(inProject)).toEqual(["new", "secret", "old"])
  expect(await titlesIn(inProject, { query: { per_page: "1", page: "3" } })).toEqual(["old"])
  for (const token of [guest.token, outsider.token, null]) expect(await titlesIn(inProject, { token })).toEqual(["new", "old"])
  const inGroup = `/groups/${group}/milestones/${ofGroup}/issues`
  expect(await titlesIn(inGroup)).toEqual(["hidden", "wide"])
  expect(await titlesIn(inGroup, { token: outsider.token })).toEqual(["wide"])
  expect((await service.request("GET", `/projects/${shown}/milestones/${ofGroup}/issues`)).status).toBe(404)
  await service.request("PUT", `/projects/${shown}`, { json: { issues_access_level: "private" } })
  expect(await titlesIn(inProject, { token: guest.token })).toEqual(["new", "old"])
  expect([await titlesIn(inProject, { token: outsider.token }), await titlesIn(inGroup, { token: outsider.token })]).toEqual([
    [],
    []
  ])
})
