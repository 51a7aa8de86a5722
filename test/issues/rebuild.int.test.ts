import { expect, it } from "vitest"
import { Projections } from "#src/platform/Projections.ts"
import { iidOf, useIssues } from "./useIssues.ts"

const { service, add, create, get, newProject, put, remove } = useIssues()

it("made anew from the log the read model is what it was", async () => {
  const project = await newProject()
  const milestone_id = await create(`/projects/${project}/milestones`, { title: "1.0" })
  const iid = iidOf(await add(project, { labels: "a,b", assignee_ids: [1], milestone_id, created_at: "2020-01-01" }))
  await put(project, iid, { labels: "b,c", assignee_ids: [], description: "- [x] d", state_event: "close", confidential: true })
  await remove(project, iidOf(await add(project)))
  await add(project, { due_date: "2026-12-31" })
  const before = (await get(project)).body

  const id = await service.run(Projections.use((projections) => projections.requestRebuild(["issues"])))
  const progress = () => service.run(Projections.use((projections) => projections.rebuildProgress(id)))
  await expect.poll(async () => (await progress())?.state).toBe("finished")
  expect(await progress()).toMatchObject({ differing: 0, examples: [] })
  expect((await get(project)).body).toEqual(before)
})
