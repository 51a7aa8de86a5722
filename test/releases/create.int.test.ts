import { describe, expect, it } from "vitest"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { expectExactly, field } from "#test/support/exactly.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { answerOf } from "#test/support/service.ts"
import { releaseShape } from "./shapes.ts"
import { at, useReleases } from "./useReleases.ts"

const { ask, commit, commitOf, link, list, make, newProject, pathOf, read, release, service, tag } = useReleases()
const { request } = service

const post = (id: unknown, json: object) => ask("POST", pathOf(id), { json })
const tagOf = async (id: number, name: string) =>
  (await request("GET", `/projects/${id}/repository/tags/${encodeURIComponent(name)}`)).body
const recordedRefs = (id: number) =>
  service.run(
    Sql.use(({ client }) =>
      query(
        () => client<Array<{ ref: string; id: string }>>`select ref, id from rm_pushes.refs where project_id = ${id} order by ref`
      )
    )
  )

describe("the tag of a new release", () => {
  it("is made at the ref where there is none, and the push is recorded", async () => {
    const project = await newProject("made")
    const main = field(project.commit, "id")
    const older = String(main)
    await commit(project.id, "main", { "b.txt": "b" })
    const newer = { ...project, commit: await commitOf(project.id) }
    expectExactly(await post(project.id, { tag_name: "v1", ref: older }), [
      201,
      releaseShape(service.url, project, { tag: "v1" })
    ])
    expectExactly(await post(project.id, { tag_name: "v2", ref: "main" }), [201, releaseShape(service.url, newer, { tag: "v2" })])
    expectExactly(await post(project.id, { tag_name: "v3", ref: "v1" }), [201, releaseShape(service.url, project, { tag: "v3" })])
    expect(await tagOf(project.id, "v1")).toEqual({
      name: "v1",
      message: "",
      target: older,
      commit: project.commit,
      release: { tag_name: "v1", description: null },
      protected: false,
      created_at: null
    })
    expect(await recordedRefs(project.id)).toEqual([
      { ref: "refs/heads/main", id: field(newer.commit, "id") },
      { ref: "refs/tags/v1", id: older },
      { ref: "refs/tags/v2", id: field(newer.commit, "id") },
      { ref: "refs/tags/v3", id: older }
    ])
  })

  it("is annotated where it has a message", async () => {
    const project = await newProject("annotated")
    const shape = releaseShape(service.url, project, { tag: "debian/1" })
    expectExactly(await post(project.id, { tag_name: "debian/1", ref: "main", tag_message: "The first" }), [201, shape])
    const made = await tagOf(project.id, "debian/1")
    const target: unknown = expect.stringMatching(/^[0-9a-f]{40}$/)
    expect(made).toEqual({
      name: "debian/1",
      message: "The first",
      target,
      commit: project.commit,
      release: { tag_name: "debian/1", description: null },
      protected: false,
      created_at: at(0).replace("Z", "+00:00")
    })
    expect(field(made, "target")).not.toBe(field(project.commit, "id"))
    expect(await recordedRefs(project.id)).toContainEqual({ ref: "refs/tags/debian/1", id: field(made, "target") })
  })

  it("stays as it is where there is one, whatever ref and message are", async () => {
    const project = await newProject("existing")
    await tag(project.id, "v1")
    await commit(project.id, "main", { "b.txt": "b" })
    const before = await recordedRefs(project.id)
    const json = { tag_name: "v1", ref: "nowhere", tag_message: "New" }
    expectExactly(await post(project.id, json), [201, releaseShape(service.url, project, { tag: "v1" })])
    expect(await recordedRefs(project.id)).toEqual(before)
    expect(field(await tagOf(project.id, "v1"), "message")).toBe("")
    await tag(project.id, "v2")
    expect(await post(project.id, { tag_name: "v2" })).toMatchObject([201, { tag_name: "v2" }])
  })

  it("cannot be made", async () => {
    const project = await newProject("unmade")
    const refuse = (json: object) => post(project.id, json)
    expect(await refuse({ tag_name: "v1" })).toEqual([422, { message: "Ref is not specified" }])
    expect(await refuse({ tag_name: "v1", ref: null })).toEqual([422, { message: "Ref is not specified" }])
    expect(await refuse({ tag_name: "v1", ref: "" })).toEqual([400, { message: "Target is empty" }])
    expect(await refuse({ tag_name: "v1", ref: "nowhere" })).toEqual([400, { message: "Target nowhere is invalid" }])
    for (const tag_name of ["HEAD", "", "a b", "-a", "a..b", "a.lock"])
      expect([tag_name, ...(await refuse({ tag_name, ref: "main" }))]).toEqual([tag_name, 400, { message: "Tag name invalid" }])
    expect(await recordedRefs(project.id)).toEqual([{ ref: "refs/heads/main", id: field(project.commit, "id") }])
    expect((await list(project.id)).body).toEqual([])
  })

  it("cannot be made where there is no code", async () => {
    const id = await make("/projects", { name: "bare" })
    expect(await post(id, { tag_name: "v1", ref: "main" })).toEqual([400, { message: "Target main is invalid" }])
    expect(await post(id, { tag_name: "v1" })).toEqual([422, { message: "Ref is not specified" }])
  })

  it("stays where the release is wrong after all", async () => {
    const project = await newProject("left")
    const links = [
      { name: "a", url: "https://example.com/a" },
      { name: "a", url: "https://example.com/b" }
    ]
    expect(await post(project.id, { tag_name: "v1", ref: "main", assets: { links } })).toEqual([
      400,
      { message: "Validation failed: Name has already been taken" }
    ])
    expect(await tagOf(project.id, "v1")).toMatchObject({ name: "v1", release: null })
    expect(await read(project.id, "v1")).toEqual([404, { message: "404 Not Found" }])
  })
})

describe("a new release", () => {
  it.each(requestForms)("is made of %s", async (form, sentAs) => {
    const project = await newProject(`sent-as-${form}`)
    const fields = { tag_name: "v1", ref: "main", name: "First", description: "Words", released_at: "2029-03-25 10:00:00" }
    expectExactly(answerOf(await request("POST", pathOf(project.id), sentAs(fields))), [
      201,
      releaseShape(
        service.url,
        project,
        { tag: "v1" },
        { name: "First", description: "Words", released_at: "2029-03-25T10:00:00.000Z" }
      )
    ])
  })

  it("has milestones by title or by id, one or many", async () => {
    const project = await newProject("chosen")
    const [a, b] = [
      await make(`/projects/${project.id}/milestones`, { title: "a" }),
      await make(`/projects/${project.id}/milestones`, { title: "b" })
    ]
    const chosen = async (tag_name: string, json: object) => {
      const [status, body] = await post(project.id, { tag_name, ref: "main", ...json })
      const milestones = field(body, "milestones")
      return [status, Array.isArray(milestones) ? milestones.map((each) => field(each, "title")) : milestones]
    }
    expect(await chosen("v1", { milestones: ["b", "a"] })).toEqual([201, ["a", "b"]])
    expect(await chosen("v2", { milestones: "a,b" })).toEqual([201, ["a", "b"]])
    expect(await chosen("v3", { milestone_ids: [b] })).toEqual([201, ["b"]])
    expect(await chosen("v4", { milestone_ids: `${a},${b}` })).toEqual([201, ["a", "b"]])
    expect(await chosen("v5", { milestones: ["a", "a"] })).toEqual([201, ["a"]])
    expect(await chosen("v6", { milestones: [] })).toEqual([201, undefined])
  })

  it("has links, the newest first", async () => {
    const project = await newProject("linked")
    const links = [
      { name: "a", url: "https://example.com/a" },
      { name: "b", url: "https://example.com/b", filepath: "/bbb", link_type: "image" },
      { name: "c", url: "https://example.com/c", direct_asset_path: "/ccc", filepath: "/ddd" }
    ]
    const page = `${service.url}/root/linked/-/releases/v1/downloads`
    const body = await release(project.id, "v1", { assets: { links } })
    const shown = (name: string, direct_asset_url: string, link_type = "other") => ({
      id: expect.any(Number),
      name,
      url: `https://example.com/${name}`,
      direct_asset_url,
      link_type
    })
    expectExactly(field(field(body, "assets"), "links"), [
      shown("c", `${page}/ccc`),
      shown("b", `${page}/bbb`, "image"),
      shown("a", "https://example.com/a")
    ])
    expect(field(field(body, "assets"), "count")).toBe(7)
    const later = await link(project.id, "v1", { name: "d", url: "https://example.com/d" })
    expect(field(field(field((await read(project.id, "v1"))[1], "assets"), "links"), "0")).toMatchObject({ id: later })
  })

  it("may be of a time to come, or of one that is past", async () => {
    const project = await newProject("times")
    const times = async (tag_name: string, released_at: string) => {
      const body = await release(project.id, tag_name, { released_at })
      return [field(body, "created_at"), field(body, "released_at"), field(body, "upcoming_release")]
    }
    expect(await times("v1", "2030-01-01T00:00:01Z")).toEqual([at(0), "2030-01-01T00:00:01.000Z", true])
    expect(await times("v2", "2030-01-01T00:00:00.999Z")).toEqual([at(0), "2030-01-01T00:00:00.999Z", false])
    expect(await times("v3", "2019-03-25T10:00:00+02:00")).toEqual([at(0), "2019-03-25T08:00:00.000Z", false])
    expect(await times("v4", "2019-03-25")).toEqual([at(0), "2019-03-25T00:00:00.000Z", false])
  })

  it("is refused in the order of the reference", async () => {
    const project = await newProject("order")
    await release(project.id, "v1")
    const refuse = (json: object) => post(project.id, json)
    const wrongLinks = { assets: { links: [{ name: "", url: "a" }] } }
    expect(await refuse({})).toEqual([400, { error: "tag_name is missing" }])
    expect(await refuse({ tag_name: "v1", assets: { links: [{ name: "a" }] } })).toEqual([
      400,
      { error: "assets[links][0][url] is missing" }
    ])
    expect(await refuse({ tag_name: "v1", assets: { links: [{ name: "a", url: "b" }, { url: "c" }] } })).toEqual([
      400,
      { error: "assets[links][1][name] is missing" }
    ])
    expect(await refuse({ tag_name: "v1", assets: { links: [{ name: "a", url: "b", link_type: "x" }] } })).toEqual([
      400,
      { error: "assets[links][0][link_type] does not have a valid value" }
    ])
    expect(await refuse({ tag_name: "v1", milestones: ["x"], milestone_ids: [1] })).toEqual([
      400,
      { error: "milestones, milestone_ids Cannot specify milestones and milestone_ids at the same time" }
    ])
    expect(await refuse({ tag_name: "v1", released_at: "x" })).toEqual([400, { error: "released_at is invalid" }])
    expect(await refuse({ tag_name: "v1", milestones: ["xyz"], ...wrongLinks })).toEqual([
      409,
      { message: "Release already exists" }
    ])
    expect(await refuse({ tag_name: "v2", milestones: ["xyz", "abc"], ...wrongLinks })).toEqual([
      400,
      { message: "Milestone(s) not found: xyz, abc" }
    ])
    expect(await refuse({ tag_name: "v2", milestone_ids: [998, 999], ...wrongLinks })).toEqual([
      400,
      { message: "Milestone id(s) not found: 998, 999" }
    ])
    expect(await refuse({ tag_name: "v2", ...wrongLinks })).toEqual([422, { message: "Ref is not specified" }])
    expect(await refuse({ tag_name: "v2", ref: "main", ...wrongLinks })).toEqual([
      400,
      { message: "Validation failed: Name can't be blank, Url must be a valid URL with http, https or ftp" }
    ])
    expect(await refuse({ tag_name: "v2", ref: "main", name: "n".repeat(256) })).toEqual([
      400,
      { message: { name: ["is too long (maximum is 255 characters)"] } }
    ])
    expect(await refuse({ tag_name: "v2", ref: "main", description: "d".repeat(1_000_001) })).toEqual([
      400,
      { message: { description: ["is too long (maximum is 1000000 characters)"] } }
    ])
    expect(await refuse({ tag_name: "v2", ref: "main", description: "d".repeat(1_000_000) })).toMatchObject([
      201,
      { tag_name: "v2" }
    ])
  })

  it("is made once where a request comes again", async () => {
    const project = await newProject("again")
    const headers = { "idempotency-key": "again" }
    const send = () => request("POST", pathOf(project.id), { json: { tag_name: "v1", ref: "main" }, headers })
    const first = answerOf(await send())
    expectExactly(first, [201, releaseShape(service.url, project, { tag: "v1" })])
    expectExactly(answerOf(await send()), first)
    expect((await list(project.id)).body).toHaveLength(1)
  })

  it("is made once where requests come at the same time", async () => {
    const project = await newProject("race")
    await tag(project.id, "v1")
    const answers = await Promise.all(["a", "b", "c", "d"].map((name) => post(project.id, { tag_name: "v1", name })))
    expect(answers.map(([status]) => status).toSorted()).toEqual([201, 409, 409, 409])
    expect((await list(project.id)).body).toEqual(answers.flatMap(([status, body]) => (status === 201 ? [body] : [])))
  })
})
