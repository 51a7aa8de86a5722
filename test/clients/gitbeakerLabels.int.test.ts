import { Gitlab } from "@gitbeaker/rest"
import { expect, it } from "vitest"
import { useLabels } from "#test/labels/useLabels.ts"
import { rootToken } from "#test/support/service.ts"

const { newGroup, newProject, service } = useLabels()
const client = () => new Gitlab({ host: service.url, token: rootToken })

it("a client manages labels of a project and of its group", async () => {
  const { GroupLabels, ProjectLabels } = client()
  const group = await newGroup()
  const project = await newProject({ namespace_id: group })
  await GroupLabels.create(group, "type::security", "crimson")
  const created = await ProjectLabels.create(project, "type::bug & Ünï", "#FFAABB", { description: "d", priority: 1 })
  expect(created).toMatchObject({ name: "type::bug & Ünï", color: "#FFAABB", priority: 1, is_project_label: true })
  expect(await ProjectLabels.edit(project, created.name, { newName: "type::bug", priority: 2 })).toMatchObject({
    id: created.id,
    name: "type::bug",
    priority: 2
  })
  expect(await ProjectLabels.all(project, { withCounts: true })).toMatchObject([
    { name: "type::bug", open_issues_count: 0 },
    { name: "type::security", is_project_label: false }
  ])
  expect(await ProjectLabels.show(project, created.id)).toMatchObject({ name: "type::bug" })
  await ProjectLabels.remove(project, "type::bug")
  expect(await ProjectLabels.all(project, { includeAncestorGroups: false })).toEqual([])
})

it("a client manages milestones", async () => {
  const { GroupMilestones, ProjectMilestones } = client()
  const group = await newGroup()
  const project = await newProject({ namespace_id: group })
  const spring = await GroupMilestones.create(group, "Spring", { dueDate: "2020-05-31" })
  expect(spring).toMatchObject({ iid: 1, group_id: group, due_date: "2020-05-31", expired: true })
  const { id } = await ProjectMilestones.create(project, "1.0", { description: "d" })
  expect(await ProjectMilestones.edit(project, id, { stateEvent: "close" })).toMatchObject({ state: "closed", title: "1.0" })
  expect(await ProjectMilestones.all(project, { state: "active" })).toEqual([])
  expect(await ProjectMilestones.all(project, { includeParentMilestones: true })).toMatchObject([{ id }, { id: spring.id }])
  await ProjectMilestones.remove(project, id)
  expect(await ProjectMilestones.all(project)).toEqual([])
})
