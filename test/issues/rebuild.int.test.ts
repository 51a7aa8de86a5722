import { expect, it } from "vitest"
import { Projections } from "#src/platform/Projections.ts"
import { field, picked } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { iidOf, useIssues } from "./useIssues.ts"

const { service, add, create, get, newProject, put, remove } = useIssues()

/** Makes the read model anew: how that went. */
const rebuilt = async () => {
  const id = await service.run(Projections.use((projections) => projections.requestRebuild(["issues"])))
  const progress = () => service.run(Projections.use((projections) => projections.rebuildProgress(id)))
  await expect.poll(async () => (await progress())?.state, { timeout: 20_000 }).toBe("finished")
  return await progress()
}

it("made anew from the log the read model is what it was", async () => {
  const project = await newProject()
  const milestone_id = await create(`/projects/${project}/milestones`, { title: "1.0" })
  const iid = iidOf(await add(project, { labels: "a,b", assignee_ids: [1], milestone_id, created_at: "2020-01-01" }))
  await put(project, iid, { labels: "b,c", assignee_ids: [], description: "- [x] d", state_event: "close", confidential: true })
  await remove(project, iidOf(await add(project)))
  await add(project, { due_date: "2026-12-31" })
  const before = (await get(project)).body

  expect(await rebuilt()).toMatchObject({ differing: 0, examples: [] })
  expect((await get(project)).body).toEqual(before)
})

it.each(["false", "true"])(
  "lists choose by the people who are shown, after a deletion of a user with hard_delete=%s",
  async (hard_delete) => {
    const project = await newProject({ visibility: "public" })
    const gone = await createUser(service, `issues-gone-${hard_delete}`)
    const { text: token } = await issueTokenFor(service, gone)
    await add(project, { assignee_ids: [gone] })
    await add(project, {}, { token })
    const without = {
      ...{ "assignee_id=Any": [], "assignee_id=None": [2, 1], [`assignee_id=${gone}`]: [], [`not[assignee_id]=${gone}`]: [2, 1] },
      ...{ [`author_id=${gone}`]: [], [`not[author_id]=${gone}`]: [2, 1] }
    }
    const lists = async () => {
      const answers = Object.keys(without).map(async (query) => {
        const { body } = await service.request("GET", `/projects/${project}/issues?${query}`)
        return [query, [body].flat().map((row) => field(row, "iid"))] as const
      })
      return Object.fromEntries(await Promise.all(answers))
    }
    expect(picked(await lists(), "assignee_id=Any", `author_id=${gone}`)).toEqual({
      "assignee_id=Any": [1],
      [`author_id=${gone}`]: [2]
    })
    expect((await service.request("DELETE", `/users/${gone}`, { query: { hard_delete } })).status).toBe(204)
    expect(await lists()).toEqual(without)
    expect(await rebuilt()).toMatchObject({ differing: 0, examples: [] })
    expect(await lists()).toEqual(without)
  }
)
