import { expect, it } from "vitest"
import { Projections } from "#src/platform/Projections.ts"
import { useLabels } from "./useLabels.ts"

const { service, add, get, newGroup, newProject, put, remove } = useLabels()

it("made anew from the log the read model is what it was", async () => {
  const groupId = await newGroup()
  const [group, project] = [`groups/${groupId}`, `projects/${await newProject({ namespace_id: groupId })}`]
  const doomed = await newProject({ namespace_id: groupId })
  for (const name of ["bug", "feature", "gone"]) await add(project, { name, priority: 1, description: "d" })
  await add(group, { name: "security" })
  await add(`projects/${doomed}`, { name: "doomed" })
  await put(project, "bug", { new_name: "defect", color: "blue", priority: null })
  await remove(project, "gone")
  await service.request("DELETE", `/projects/${doomed}`)
  const before = [(await get(project)).body, (await get(group)).body]

  const id = await service.run(Projections.use((projections) => projections.requestRebuild(["labels"])))
  const progress = () => service.run(Projections.use((projections) => projections.rebuildProgress(id)))
  await expect.poll(async () => (await progress())?.state).toBe("finished")
  expect(await progress()).toMatchObject({ differing: 0, examples: [] })
  expect([(await get(project)).body, (await get(group)).body]).toEqual(before)
})
