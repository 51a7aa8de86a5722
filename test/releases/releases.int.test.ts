import { describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { userReference } from "#test/support/people/userReference.ts"
import { answerOf } from "#test/support/service.ts"
import { releaseShape } from "./shapes.ts"
import { at, forbidden, listed, missing, useReleases } from "./useReleases.ts"

const { ask, commit, done, link, list, make, minute, newProject, pathOf, person, read, release, service, tag } = useReleases()
const { request } = service

describe("a release", () => {
  it("is shown in full, keys in order", async () => {
    const project = await newProject("whole")
    const sha = String(field(project.commit, "id"))
    const body = await release(project.id, "v1.0", {
      name: "First",
      description: "Much *better*",
      assets: { links: [{ name: "Tool", url: "https://example.com/tool", direct_asset_path: "/bin/tool", link_type: "package" }] }
    })
    const base = `${service.url}/root/whole`
    const id = field(field(field(body, "assets"), "links"), "0")
    const whole = {
      name: "First",
      tag_name: "v1.0",
      description: "Much *better*",
      created_at: at(0),
      released_at: at(0),
      upcoming_release: false,
      author: {
        id: 1,
        username: "root",
        name: "Administrator",
        state: "active",
        locked: false,
        avatar_url: null,
        web_url: `${service.url}/root`
      },
      commit: {
        id: sha,
        short_id: sha.slice(0, 8),
        created_at: at(0).replace("Z", "+00:00"),
        parent_ids: [],
        title: "Change main",
        message: "Change main",
        author_name: "Administrator",
        author_email: expect.any(String),
        authored_date: at(0).replace("Z", "+00:00"),
        committer_name: "Administrator",
        committer_email: expect.any(String),
        committed_date: at(0).replace("Z", "+00:00"),
        trailers: {},
        extended_trailers: {},
        web_url: `${base}/-/commit/${sha}`
      },
      commit_path: `/root/whole/-/commit/${sha}`,
      tag_path: "/root/whole/-/tags/v1.0",
      assets: {
        count: 5,
        sources: [
          { format: "zip", url: `${base}/-/archive/v1.0/whole-v1.0.zip` },
          { format: "tar.gz", url: `${base}/-/archive/v1.0/whole-v1.0.tar.gz` },
          { format: "tar.bz2", url: `${base}/-/archive/v1.0/whole-v1.0.tar.bz2` },
          { format: "tar", url: `${base}/-/archive/v1.0/whole-v1.0.tar` }
        ],
        links: [
          {
            id: field(id, "id"),
            name: "Tool",
            url: "https://example.com/tool",
            direct_asset_url: `${base}/-/releases/v1.0/downloads/bin/tool`,
            link_type: "package"
          }
        ]
      },
      evidences: [],
      _links: {
        closed_issues_url: `${base}/-/issues?release_tag=v1.0&scope=all&state=closed`,
        closed_merge_requests_url: `${base}/-/merge_requests?release_tag=v1.0&scope=all&state=closed`,
        edit_url: `${base}/-/releases/v1.0/edit`,
        merged_merge_requests_url: `${base}/-/merge_requests?release_tag=v1.0&scope=all&state=merged`,
        opened_issues_url: `${base}/-/issues?release_tag=v1.0&scope=all&state=opened`,
        opened_merge_requests_url: `${base}/-/merge_requests?release_tag=v1.0&scope=all&state=opened`,
        self: `${base}/-/releases/v1.0`
      }
    }
    expectExactly(body, whole)
    expectExactly(await read(project.id, "v1.0"), [200, whole])
    expectExactly(await read(encodeURIComponent("root/whole"), "v1.0"), [200, whole])
    expectExactly((await list(project.id)).body, [whole])
  })

  it("has the name of its tag, which may have slashes, unless it has another one", async () => {
    const project = await newProject("slashes")
    const shape = releaseShape(service.url, project, { tag: "debian/2.4.0-1" })
    expectExactly(await release(project.id, "debian/2.4.0-1", { name: "" }), shape)
    expect(field(shape, "tag_path")).toBe("/root/slashes/-/tags/debian%2F2.4.0-1")
    expect(field(field(field(shape, "assets"), "sources"), "0")).toEqual({
      format: "zip",
      url: `${service.url}/root/slashes/-/archive/debian%2F2.4.0-1/slashes-debian-2.4.0-1.zip`
    })
    expect(await read(project.id, "debian/2.4.0-1")).toEqual([200, shape])
    expect(await ask("GET", `/projects/${project.id}/releases/debian/2.4.0-1`)).toEqual([404, { error: "404 Not Found" }])
  })

  it("has names that end like a format", async () => {
    const project = await newProject("formats")
    await release(project.id, "v1.json")
    expect(await read(project.id, "v1.json")).toEqual([200, releaseShape(service.url, project, { tag: "v1.json" })])
    expect(await ask("PUT", pathOf(project.id, "v1.json"), { json: { name: "a" } })).toMatchObject([200, { name: "a" }])
    expect(await ask("DELETE", pathOf(project.id, "v1.json"))).toMatchObject([200, { tag_name: "v1.json" }])
  })

  it("has its description as HTML only where that is asked for, and only when it is read", async () => {
    const project = await newProject("html")
    const query = { include_html_description: "true" }
    const json = { tag_name: "v1", ref: "main", description: "Much *better*", include_html_description: true }
    const shape = releaseShape(service.url, project, { tag: "v1" }, { description: "Much *better*" })
    const withHtml = releaseShape(
      service.url,
      project,
      { tag: "v1" },
      { description: "Much *better*", description_html: '<p dir="auto">Much <em>better</em></p>' }
    )
    expectExactly(await ask("POST", pathOf(project.id), { json }), [201, shape])
    expectExactly(await ask("PUT", pathOf(project.id, "v1"), { json: { ...json, name: "v1" } }), [200, shape])
    expectExactly(await read(project.id, "v1", { query }), [200, withHtml])
    expectExactly((await list(project.id, query)).body, [withHtml])
    expectExactly((await list(project.id, { include_html_description: "false" })).body, [shape])
    await done("PUT", pathOf(project.id, "v1"), { description: null })
    expect(await read(project.id, "v1", { query })).toMatchObject([200, { description: null, description_html: "" }])
    expectExactly(await ask("DELETE", pathOf(project.id, "v1"), { query }), [200, { ...shape, description: null }])
  })

  it("keeps its tag's name and commit when the tag goes, and is not changed any more, but deleted", async () => {
    const project = await newProject("tagless")
    await release(project.id, "v1", { name: "First" })
    await commit(project.id, "main", { "b.txt": "b" })
    await request("DELETE", `/projects/${project.id}/repository/tags/v1`)
    const shape = releaseShape(service.url, project, { tag: "v1" }, { name: "First" })
    expect(await read(project.id, "v1")).toEqual([200, shape])
    const gone = [404, { message: "Tag does not exist" }]
    expect(await ask("PUT", pathOf(project.id, "v1"), { json: { name: "Second" } })).toEqual(gone)
    expect(await ask("PUT", pathOf(project.id, "v1"))).toEqual(gone)
    await tag(project.id, "v1")
    expect(await read(project.id, "v1")).toEqual([200, shape])
    await request("DELETE", `/projects/${project.id}/repository/tags/v1`)
    expectExactly(await ask("DELETE", pathOf(project.id, "v1")), [200, shape])
  })

  it("has no author when that user is gone", async () => {
    const project = await newProject("authorless")
    const { id: user_id, token } = await person("gone")
    await done("POST", `/projects/${project.id}/members`, { user_id, access_level: 30 })
    const made = await done("POST", pathOf(project.id), { tag_name: "v1", ref: "main" }, token)
    const author = userReference(service.url, user_id, "gone")
    expectExactly(made, releaseShape(service.url, project, { tag: "v1" }, { author }))
    await request("DELETE", `/users/${user_id}`)
    const without = releaseShape(service.url, project, { tag: "v1" }, { author: undefined })
    expectExactly(await read(project.id, "v1"), [200, without])
    expectExactly(await ask("DELETE", pathOf(project.id, "v1")), [200, without])
  })

  it("is shown by its tag", async () => {
    const project = await newProject("shown-by-tag")
    await tag(project.id, "v0")
    await release(project.id, "v1", { description: "Words" })
    await release(project.id, "v2")
    const tags = await request("GET", `/projects/${project.id}/repository/tags`, { query: { order_by: "name", sort: "asc" } })
    expect(listed("release", tags)).toEqual([
      null,
      { tag_name: "v1", description: "Words" },
      { tag_name: "v2", description: null }
    ])
    const one = await request("GET", `/projects/${project.id}/repository/tags/v1`)
    expectExactly(field(one.body, "release"), { tag_name: "v1", description: "Words" })
    await done("DELETE", pathOf(project.id, "v1"))
    expect(field((await request("GET", `/projects/${project.id}/repository/tags/v1`)).body, "release")).toBeNull()
  })
})

describe("changes", () => {
  it("set what they name, and nothing else", async () => {
    const project = await newProject("changes")
    await release(project.id, "v1", { name: "First", description: "Words" })
    minute(10)
    const put = (json: object) => ask("PUT", pathOf(project.id, "v1"), { json })
    const shape = releaseShape(service.url, project, { tag: "v1" }, { name: "Second", description: "Words" })
    expectExactly(await put({ name: "Second" }), [200, shape])
    expectExactly(await put({ description: "", sha: "a", tag_message: "b", unknown: 1 }), [200, { ...shape, description: "" }])
    const moved = { ...shape, description: "", released_at: "2030-02-03T04:05:06.000Z", upcoming_release: true }
    expectExactly(await put({ released_at: "2030-02-03T06:05:06+02:00" }), [200, moved])
    expectExactly(await put({ released_at: "2030-02-03 04:05:06" }), [200, moved])
    expectExactly(await put({ name: "" }), [200, { ...moved, name: "v1" }])
    expectExactly(await read(project.id, "v1"), [200, { ...moved, name: "v1" }])
  })

  it("are refused", async () => {
    const project = await newProject("refused")
    await release(project.id, "v1")
    const put = (json: object, more = "v1") => ask("PUT", pathOf(project.id, more), { json })
    const empty = [400, { message: "params is empty" }]
    expect([await put({}), await put({ sha: "a" }), await put({ ref: "main", assets: {} })]).toEqual([empty, empty, empty])
    expect(await put({ milestones: ["x", "y"] })).toEqual([400, { message: "Milestone(s) not found: x, y" }])
    expect(await put({ milestone_ids: [998, 999] })).toEqual([400, { message: "Milestone id(s) not found: 998, 999" }])
    expect(await put({ milestones: [], milestone_ids: [] })).toEqual([
      400,
      { error: "milestones, milestone_ids Cannot specify milestones and milestone_ids at the same time" }
    ])
    expect(await put({ released_at: "soon" })).toEqual([400, { error: "released_at is invalid" }])
    expect(await put({ name: "n".repeat(256), description: "d".repeat(1_000_001) })).toEqual([
      400,
      {
        message: {
          name: ["is too long (maximum is 255 characters)"],
          description: ["is too long (maximum is 1000000 characters)"]
        }
      }
    ])
    await tag(project.id, "bare")
    for (const name of ["bare", "unknown"]) {
      expect(await put({ name: "a" }, name)).toEqual(forbidden)
      expect(await ask("DELETE", pathOf(project.id, name))).toEqual(forbidden)
      expect(await read(project.id, name)).toEqual(missing)
    }
  })
})

describe("a deletion", () => {
  it("answers the same where a request comes again", async () => {
    const { id } = await newProject("deleted-again")
    await release(id, "v1")
    const remove = async () =>
      answerOf(await request("DELETE", pathOf(id, "v1"), { headers: { "idempotency-key": "deleted-again" } }))
    const first = await remove()
    expect(first).toMatchObject([200, { tag_name: "v1" }])
    expectExactly(await remove(), first)
    expect(await ask("DELETE", pathOf(id, "v1"))).toEqual(forbidden)
  })

  it("answers what is deleted, and the tag stays", async () => {
    const project = await newProject("deletion")
    await make(`/projects/${project.id}/milestones`, { title: "m" })
    await release(project.id, "v1", { description: "Words", milestones: ["m"] })
    await link(project.id, "v1", { name: "a", url: "https://example.com/a" })
    await link(project.id, "v1", { name: "b", url: "https://example.com/b" })
    const [, before] = await read(project.id, "v1")
    expectExactly(await ask("DELETE", pathOf(project.id, "v1")), [200, before])
    expect(await read(project.id, "v1")).toEqual(missing)
    expect((await list(project.id)).body).toEqual([])
    expect(await ask("DELETE", pathOf(project.id, "v1"))).toEqual(forbidden)
    expect((await request("GET", `/projects/${project.id}/repository/tags/v1`)).status).toBe(200)
    expectExactly(await release(project.id, "v1"), releaseShape(service.url, project, { tag: "v1", made: 10 }))
  })
})
