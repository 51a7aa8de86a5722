import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { anyId, anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { idOf, useSchedules } from "../useSchedules.ts"

const { add, get, member, newProject, pathOf, put, service } = useSchedules()

const files = { ".gitlab-ci.yml": "job:\n  script: make\n" }
const played = [201, { message: "201 Created" }]

const play = (project: number, id: number, token?: string) => service.request("POST", `${pathOf(project, id)}/play`, { token })
const pipelines = async (project: number, id: number, query: Readonly<Record<string, string>> = {}) =>
  (await service.request("GET", `${pathOf(project, id)}/pipelines`, { query })).body
const ids = (body: unknown) => (Array.isArray(body) ? body.map((each) => field(each, "id")) : body)

/** The data of the events of a type in the stream of a schedule. */
const eventsOf = (id: number, type: string) =>
  service.run(
    Sql.use(({ client }) =>
      query(
        () => client<Array<{ data: unknown }>>`
          select data from chronoforge.events where stream = ${`schedule-${id}`} and type = ${type} order by revision`
      )
    ).pipe(Effect.map((rows) => rows.map(({ data }) => (typeof data === "string" ? JSON.parse(data) : data))))
  )

describe("playing a schedule", () => {
  it("makes a pipeline of the caller's, also of an inactive one, and leaves the schedule as it is", async () => {
    const project = await newProject("playing", {}, files)
    const developer = await member(project, "developer", "playing-developer")
    await service.request("POST", `/projects/${project}/repository/branches`, { json: { branch: "topic", ref: "main" } })
    const { body: before } = await add(project, { ref: "topic", active: false })
    const id = Number(field(before, "id"))
    expect(answerOf(await play(project, id, developer.token))).toEqual(played)
    const [last] = (await pipelines(project, id)) as ReadonlyArray<unknown>
    const pipelineId = field(last, "id")
    const shown = {
      id: anyId,
      iid: 1,
      project_id: project,
      sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      ref: "topic",
      status: expect.any(String),
      source: "scheduled",
      created_at: anyTime,
      updated_at: anyTime,
      web_url: `${service.url}/root/playing/-/pipelines/${pipelineId}`
    }
    expectExactly(last, shown)
    expectExactly((await get(project, id)).body, {
      ...Object(before),
      last_pipeline: { ...Object(last), source: "schedule" },
      variables: []
    })
    const whole = (await service.request("GET", `/projects/${project}/pipelines/${pipelineId}`)).body
    expect([field(whole, "source"), field(field(whole, "user"), "id")]).toEqual(["schedule", developer.id])
    expect(await eventsOf(id, "Played")).toEqual([{ by: developer.id, pipelineId }])
    for (const source of ["schedule", "scheduled"]) {
      expect(ids((await service.request("GET", `/projects/${project}/pipelines`, { query: { source } })).body)).toEqual([
        pipelineId
      ])
    }
    const { body: list } = await get(project)
    expect(Array.isArray(list) && "last_pipeline" in list[0]).toBe(false)
  })

  it("gives its variables to the pipeline", async () => {
    const project = await newProject("varying", {}, files)
    const id = idOf(await add(project))
    for (const [key, variable_type] of [
      ["KEY", "env_var"],
      ["FILE", "file"]
    ]) {
      await service.request("POST", `${pathOf(project, id)}/variables`, { json: { key, value: "v", variable_type } })
    }
    await play(project, id)
    const [pipelineId] = Object(ids(await pipelines(project, id)))
    expectExactly((await service.request("GET", `/projects/${project}/pipelines/${pipelineId}/variables`)).body, [
      { variable_type: "env_var", key: "KEY", value: "v", raw: false },
      { variable_type: "file", key: "FILE", value: "v", raw: false }
    ])
  })

  it("shows whoever plays it no variables that the schedule does not show them", async () => {
    const project = await newProject("secretive", {}, files)
    const [owner, player] = [await member(project, "developer", "secret-owner"), await member(project, "developer", "player")]
    const maintainer = await member(project, "maintainer", "secret-maintainer")
    await service.request("POST", `/projects/${project}/repository/branches`, { json: { branch: "topic", ref: "main" } })
    const id = idOf(await add(project, { ref: "topic" }, { token: owner.token }))
    const json = { key: "KEY", value: "v" }
    await service.request("POST", `${pathOf(project, id)}/variables`, { json, token: owner.token })
    for (const { token } of [player, owner]) expect(answerOf(await play(project, id, token))).toEqual(played)
    const [ofPlayer, ofOwner] = Object(ids(await pipelines(project, id)))
    const variables = async (pipeline: unknown, { token }: { readonly token: string }) =>
      answerOf(await service.request("GET", `/projects/${project}/pipelines/${pipeline}/variables`, { token }))
    const forbidden = [403, { message: "403 Forbidden" }]
    const shown = [200, [{ variable_type: "env_var", key: "KEY", value: "v", raw: false }]]
    expect(answerOf(await service.request("GET", `${pathOf(project, id)}/variables/KEY`, { token: player.token }))).toEqual(
      forbidden
    )
    expect([await variables(ofPlayer, player), await variables(ofPlayer, maintainer)]).toEqual([forbidden, shown])
    expect([await variables(ofOwner, owner), await variables(ofPlayer, owner)]).toEqual([shown, forbidden])
    await service.request("DELETE", pathOf(project, id))
    expect([await variables(ofPlayer, player), await variables(ofOwner, owner)]).toEqual([forbidden, forbidden])
    expect(await variables(ofPlayer, maintainer)).toEqual(shown)
  })

  it("is answered the same where no pipeline can be made, and the log says why", async () => {
    const project = await newProject("unwanted")
    for (const [ref, message] of [
      ["main", "Missing CI config file"],
      ["refs/heads/nowhere", "Reference not found"]
    ]) {
      const id = idOf(await add(project, { ref }))
      expect(answerOf(await play(project, id))).toEqual(played)
      expect([ids(await pipelines(project, id)), await eventsOf(id, "Played")]).toEqual([
        [],
        [{ by: 1, pipelineId: null, message }]
      ])
    }
  })

  it("makes one each time", async () => {
    const project = await newProject("again", {}, files)
    const [id, other] = [idOf(await add(project)), idOf(await add(project))]
    for (const _ of [1, 2, 3]) await play(project, id)
    const made = Object(ids(await pipelines(project, id)))
    expect(made).toEqual([...made].toSorted((one, another) => one - another))
    expect(new Set(made).size).toBe(3)
    expect(ids(await pipelines(project, id, { sort: "desc" }))).toEqual(made.toReversed())
    expect(ids(await pipelines(project, id, { per_page: "2", page: "2" }))).toEqual([made[2]])
    expect(ids(await pipelines(project, id, { status: "canceled" }))).toEqual([])
    expect(ids(await pipelines(project, id, { scope: "branches" }))).toEqual([made[2]])
    expect(ids(await pipelines(project, id, { created_after: "2100-01-01" }))).toEqual([])
    expect(ids(await pipelines(project, id, { updated_before: "2100-01-01", created_before: "2100-01-01" }))).toEqual(made)
    expect(ids(await pipelines(project, other))).toEqual([])
    const last = field((await get(project, id)).body, "last_pipeline")
    expect(field(last, "id")).toBe(made[2])
    await play(project, other)
    expect(ids(await pipelines(project, id, { scope: "branches" }))).toEqual([made[2]])
    await service.request("DELETE", `/projects/${project}/pipelines/${made[2]}`)
    expect(field(field((await put(project, id, {})).body, "last_pipeline"), "id")).toBe(made[1])
  })
})
