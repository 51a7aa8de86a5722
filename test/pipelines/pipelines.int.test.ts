import { describe, expect, it } from "vitest"
import { anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { rootReference } from "#test/support/people/userReference.ts"
import { answerOf } from "#test/support/service.ts"
import { usePipelines } from "./usePipelines.ts"

const { commit, newProject, post, service } = usePipelines()

const get = (id: unknown, path = "", query: Readonly<Record<string, string>> = {}) =>
  service.request("GET", `/projects/${id}/pipelines${path}`, { query })

const pipelineOf = async (...args: Parameters<typeof post>) => field((await post(...args)).body, "pipeline_id")

describe("a pipeline", () => {
  it("is shown whole", async () => {
    const { id, sha } = await newProject("whole")
    await post(id, sha, { state: "success", name: "a", coverage: 50 })
    const pipelineId = await pipelineOf(id, sha, { state: "running", name: "b", coverage: 75.5 })
    const { body } = await get(id, `/${pipelineId}`)
    const path = `/root/whole/-/pipelines/${pipelineId}`
    const whole = {
      id: pipelineId,
      iid: 1,
      project_id: id,
      sha,
      ref: "main",
      status: "running",
      source: "external",
      created_at: anyTime,
      updated_at: anyTime,
      web_url: `${service.url}${path}`,
      name: null,
      before_sha: "0".repeat(40),
      tag: false,
      yaml_errors: null,
      user: rootReference(service.url),
      started_at: anyTime,
      finished_at: anyTime,
      committed_at: null,
      duration: null,
      queued_duration: 0,
      coverage: "62.75",
      detailed_status: {
        icon: "status_running",
        text: "Running",
        label: "running",
        group: "running",
        tooltip: "running",
        has_details: true,
        details_path: path,
        illustration: null,
        favicon: "/assets/ci_favicons/favicon_status_running.png"
      }
    }
    expectExactly(body, whole)
    expectExactly((await get(id, "/latest")).body, body)
    const { before_sha, tag, yaml_errors, user, started_at, finished_at, ...rest } = whole
    const { committed_at, coverage, detailed_status, duration, queued_duration, ...inList } = rest
    expectExactly((await get(id)).body, [inList])
  })

  it("is named, canceled and deleted", async () => {
    const { id, sha } = await newProject("changing")
    const pipelineId = await pipelineOf(id, sha, { state: "pending" })
    const path = `/projects/${id}/pipelines/${pipelineId}`
    const { body: before } = await get(id, `/${pipelineId}`)
    const named = await service.request("PUT", `${path}/metadata`, { json: { name: "nightly" } })
    expectExactly([named.status, named.body], [200, { ...Object(before), name: "nightly", updated_at: anyTime }])
    const tooLong = "Failed to update pipeline - Name is too long (maximum is 255 characters)"
    const refused = await service.request("PUT", `${path}/metadata`, { json: { name: "x".repeat(256) } })
    expect(answerOf(refused)).toEqual([400, { message: tooLong }])
    const canceled = await service.request("POST", `${path}/cancel`)
    expect([canceled.status, field(canceled.body, "status")]).toEqual([200, "canceled"])
    const stale = await service.request("DELETE", path, { headers: { "if-unmodified-since": "1990-01-12T00:00:48-0600" } })
    expect(answerOf(stale)).toEqual([412, { message: "412 Precondition Failed" }])
    expect((await service.request("DELETE", path)).status).toBe(204)
    const notFound = [404, { message: "404 Not found" }]
    expect(answerOf(await get(id, `/${pipelineId}`))).toEqual(notFound)
    expect(answerOf(await service.request("DELETE", path))).toEqual(notFound)
    expect((await service.request("GET", `/projects/${id}/repository/commits/${sha}/statuses`)).body).toEqual([])
  })

  it("is followed by another one when it is deleted, with a number of its own", async () => {
    const { id, sha } = await newProject("again")
    const first = await pipelineOf(id, sha, { state: "success" })
    await service.request("DELETE", `/projects/${id}/pipelines/${first}`)
    const second = await pipelineOf(id, sha, { state: "success" })
    expect([second === first, field((await get(id, `/${second}`)).body, "iid")]).toEqual([false, 2])
  })

  it("of another project is not found", async () => {
    const [one, other] = [await newProject("one"), await newProject("other")]
    const pipelineId = await pipelineOf(one.id, one.sha, { state: "success" })
    expect(answerOf(await get(other.id, `/${pipelineId}`))).toEqual([404, { message: "404 Not found" }])
    expect(answerOf(await get(other.id, "/latest"))).toEqual([404, { message: "404 Not found" }])
  })

  it("goes with its project, also from a rebuilt list", async () => {
    const { id, sha } = await newProject("going")
    await post(id, sha, { state: "success" })
    await service.request("DELETE", `/projects/${id}`)
    expect(answerOf(await get(id))).toEqual([404, { message: "404 Project Not Found" }])
  })
})

describe("pipelines", () => {
  it("are filtered, ordered and paged", async () => {
    const { id, sha } = await newProject("filters")
    const second = await commit(id, "second")
    await service.request("POST", `/projects/${id}/repository/branches`, { json: { branch: "topic", ref: "main" } })
    await service.request("POST", `/projects/${id}/repository/tags`, { json: { tag_name: "v1", ref: "main" } })
    const [a, b, c, d] = [
      await pipelineOf(id, sha, { state: "failed", ref: "main" }),
      await pipelineOf(id, second, { state: "running", ref: "main" }),
      await pipelineOf(id, second, { state: "pending", ref: "topic" }),
      await pipelineOf(id, second, { state: "success", ref: "v1" })
    ]
    await service.request("PUT", `/projects/${id}/pipelines/${a}/metadata`, { json: { name: "first" } })
    const found = async (query: Readonly<Record<string, string>>) => {
      const { body } = await get(id, "", query)
      return Array.isArray(body) ? body.map((pipeline) => field(pipeline, "id")) : body
    }
    const rows: ReadonlyArray<readonly [Readonly<Record<string, string>>, unknown]> = [
      [{}, [d, c, b, a]],
      [{ sort: "asc" }, [a, b, c, d]],
      [{ scope: "running" }, [b]],
      [{ scope: "pending" }, [c]],
      [{ scope: "finished" }, [d, a]],
      [{ scope: "branches" }, [c, b]],
      [{ scope: "tags" }, [d]],
      [{ status: "failed" }, [a]],
      [{ source: "external", per_page: "2", page: "2" }, [b, a]],
      [{ source: "scheduled" }, []],
      [{ source: "push" }, []],
      [{ ref: "main" }, [b, a]],
      [{ ref: "nowhere" }, []],
      [{ sha: second }, [d, c, b]],
      [{ name: "first" }, [a]],
      [{ name: "fir" }, []],
      [{ username: "ROOT" }, [d, c, b, a]],
      [{ username: "nobody" }, []],
      [{ yaml_errors: "true" }, []],
      [{ yaml_errors: "false" }, [d, c, b, a]],
      [{ created_after: "2100-01-01" }, []],
      [{ updated_before: "2100-01-01", created_before: "2100-01-01", updated_after: "2000-01-01" }, [d, c, b, a]],
      [{ order_by: "status", sort: "asc" }, [a, c, b, d]],
      [{ order_by: "ref", sort: "asc" }, [a, b, c, d]],
      [{ order_by: "updated_at", sort: "desc" }, [a, d, c, b]],
      [{ order_by: "user_id" }, [d, c, b, a]],
      [{ scope: "x" }, { error: "scope does not have a valid value" }],
      [{ status: "x" }, { error: "status does not have a valid value" }],
      [{ source: "x" }, { error: "source does not have a valid value" }],
      [{ order_by: "x" }, { error: "order_by does not have a valid value" }],
      [{ yaml_errors: "x" }, { error: "yaml_errors is invalid" }]
    ]
    const answers = await Promise.all(rows.map(async ([query]) => [query, await found(query)]))
    expect(answers).toEqual(rows)
  })
})
