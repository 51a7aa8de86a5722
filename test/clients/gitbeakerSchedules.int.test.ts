import { GitbeakerRequestError, Gitlab } from "@gitbeaker/rest"
import { expect, it } from "vitest"
import { useSchedules } from "#test/schedules/useSchedules.ts"
import { rootToken } from "#test/support/service.ts"

const { member, newProject, service } = useSchedules()
const clientOf = (token: string) => new Gitlab({ host: service.url, token })

/** The status with which the client fails. */
const statusOf = async (request: Promise<unknown>) => {
  const error = await request.then(
    (answer) => expect.unreachable(JSON.stringify(answer)),
    (reason: unknown) => reason
  )
  if (!(error instanceof GitbeakerRequestError)) throw error
  return error.cause?.response.status
}

it("a client makes a schedule, gives it variables, lets it run and deletes it", async () => {
  const project = await newProject("client", {}, { ".gitlab-ci.yml": "job:\n  script: make\n" })
  const { PipelineScheduleVariables: Variables, PipelineSchedules } = clientOf(rootToken)
  const created = await PipelineSchedules.create(project, "Nightly & Ünï", "main", "0 1 * * *", {
    cronTimezone: "Berlin",
    active: false
  })
  const { id } = created
  const shown = { id, description: "Nightly & Ünï", ref: "refs/heads/main", cron_timezone: "Berlin", active: false }
  expect(created).toMatchObject({ ...shown, last_pipeline: null, owner: { username: "root" } })
  expect(await PipelineSchedules.all("root/client", { scope: "inactive" })).toMatchObject([shown])
  expect(await PipelineSchedules.all(project, { scope: "active" })).toEqual([])
  expect(await PipelineSchedules.edit(project, id, { cron: "0 2 * * *", active: true })).toMatchObject({
    cron: "0 2 * * *",
    active: true
  })

  const variable = { key: "KEY", value: "a=b&c", variable_type: "file", raw: false }
  expect(await Variables.create(project, id, "KEY", "a=b&c", { variableType: "file" })).toEqual(variable)
  expect(await Variables.edit(project, id, "KEY", "")).toEqual({ ...variable, value: "" })
  expect(await PipelineSchedules.show(project, id)).toMatchObject({ variables: [{ ...variable, value: "" }] })

  expect(await PipelineSchedules.run(project, id)).toEqual({ message: "201 Created" })
  const [pipeline] = await PipelineSchedules.allTriggeredPipelines(project, id)
  expect(pipeline).toMatchObject({ ref: "main", source: "scheduled", project_id: project })
  expect(await PipelineSchedules.show(project, id)).toMatchObject({ last_pipeline: { id: pipeline?.id, source: "schedule" } })

  const maintainer = await member(project, "maintainer", "client-maintainer")
  const theirs = clientOf(maintainer.token).PipelineSchedules
  expect(await statusOf(theirs.edit(project, id, { active: false }))).toBe(403)
  expect(await theirs.takeOwnership(project, id)).toMatchObject({ owner: { id: maintainer.id } })
  expect(await theirs.edit(project, id, { active: false })).toMatchObject({ active: false })

  await Variables.remove(project, id, "KEY")
  expect(await PipelineSchedules.remove(project, id)).toMatchObject({ id, owner: { id: maintainer.id } })
  expect(await statusOf(PipelineSchedules.show(project, id))).toBe(404)
})
