import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { releaseShape } from "./shapes.ts"
import { at, forbidden, missing, missingLink, missingProject, useReleases } from "./useReleases.ts"

const { ask, collect, done, link, make, minute, newProject, pathOf, person, read, release, service } = useReleases()
const { request } = service

const evidencesOf = async (id: number, tag: string) => field((await read(id, tag))[1], "evidences")
/** The first evidence of a release, which has to be there: its id, and what is shown of it. */
const evidenceOf = async (id: number, tag: string) => {
  const [evidence] = [(await evidencesOf(id, tag)) as ReadonlyArray<{ readonly sha: string; readonly filepath: string }>].flat()
  const { filepath, sha } = evidence ?? expect.unreachable("There is no evidence")
  return { filepath, sha, evidenceId: Number(/(\d+)\.json$/.exec(filepath)?.[1]) }
}
/** The text of an evidence, as it is served. */
const textOf = async (id: number, tag: string, evidenceId: number) => {
  const url = `${service.url}/api/v4${pathOf(id, tag, `/evidences/${evidenceId}`)}`
  return (await fetch(url)).text()
}

const words = 'Words <b>&\u2028☃"\n'

describe("evidence", () => {
  it("is what a release contained when it was made, with the digest of its text", async () => {
    const project = await newProject("evident", { visibility: "public", description: "Much" })
    const { id } = project
    const milestoneId = await make(`/projects/${id}/milestones`, { title: "m", description: "Stone", due_date: "2030-03-01" })
    const issue = (json: object) => done("POST", `/projects/${id}/issues`, { milestone_id: milestoneId, ...json })
    const first = await issue({ title: "Seen" })
    const second = await issue({ title: "Shut" })
    await issue({ title: "Secret", confidential: true })
    await done("POST", `/projects/${id}/issues`, { title: "Elsewhere" })
    await done("PUT", `/projects/${id}/issues/2`, { state_event: "close" })
    await release(id, "v1", { name: "First", description: words, milestones: ["m"] })
    await link(id, "v1", { name: "Tool", url: "https://example.com/tool", link_type: "package", direct_asset_path: "/bin/tool" })
    minute(1)
    expect(await evidencesOf(id, "v1")).toEqual([])
    expect(await collect(1)).toEqual(["v1"])

    const { evidenceId, filepath, sha } = await evidenceOf(id, "v1")
    const text = await textOf(id, "v1", evidenceId)
    expectExactly(await evidencesOf(id, "v1"), [
      {
        sha: createHash("sha256").update(text).digest("hex"),
        filepath: `${service.url}/root/evident/-/releases/v1/evidences/${evidenceId}.json`,
        collected_at: at(1)
      }
    ])
    expect(filepath).toBe(`${service.url}/root/evident/-/releases/v1/evidences/${evidenceId}.json`)
    expect(sha).toMatch(/^[0-9a-f]{64}$/)
    expectExactly(JSON.parse(text), {
      release: {
        id: expect.any(Number),
        tag_name: "v1",
        name: "First",
        description: words,
        sha: field(project.commit, "id"),
        created_at: at(0),
        released_at: at(0),
        project: { id, name: "evident", description: "Much", created_at: at(0) },
        milestones: [
          {
            id: milestoneId,
            iid: 1,
            title: "m",
            description: "Stone",
            state: "active",
            created_at: at(0),
            due_date: "2030-03-01",
            issues: [
              { id: field(first, "id"), iid: 1, title: "Seen", state: "opened" },
              { id: field(second, "id"), iid: 2, title: "Shut", state: "closed" }
            ]
          }
        ],
        links: [{ name: "Tool", url: "https://example.com/tool", link_type: "package" }],
        is_cut: false,
        log_position: expect.any(Number)
      }
    })
  })

  it("stays as it is when the release changes, and is collected once", async () => {
    const { id } = await newProject("stays")
    await release(id, "v1", { description: "Words" })
    expect(await collect(1)).toEqual(["v1"])
    const { evidenceId, sha } = await evidenceOf(id, "v1")
    const path = pathOf(id, "v1", `/evidences/${evidenceId}`)
    const [, before] = await ask("GET", path)
    const before2 = await evidencesOf(id, "v1")
    await done("PUT", pathOf(id, "v1"), { description: "Other", released_at: "2030-02-01" })
    expect(await collect(100_000)).toEqual([])
    expectExactly(await evidencesOf(id, "v1"), before2)
    expectExactly(await ask("GET", path), [200, before])
    expect(sha).toMatch(/^[0-9a-f]{64}$/)
  })

  it("goes with the release, whose deletion still shows it", async () => {
    const { id } = await newProject("goes")
    await release(id, "v1")
    await collect(1)
    const { evidenceId } = await evidenceOf(id, "v1")
    const path = pathOf(id, "v1", `/evidences/${evidenceId}`)
    const [, shown] = await read(id, "v1")
    expectExactly(await ask("DELETE", pathOf(id, "v1")), [200, shown])
    expect(await ask("GET", path)).toEqual(missing)
    await release(id, "v1")
    expect(await evidencesOf(id, "v1")).toEqual([])
    expect(await ask("GET", path)).toEqual(missingLink)
    expect(await collect(1)).toEqual(["v1"])
    expect((await evidenceOf(id, "v1")).evidenceId).toBeGreaterThan(evidenceId)
  })

  it("is there for none that was released before it was made, and for one to come at its time", async () => {
    const { id } = await newProject("times")
    await release(id, "past", { released_at: "2029-12-31T23:59:59Z" })
    await release(id, "upcoming", { released_at: at(10) })
    expect(await collect(9)).toEqual([])
    expect(await evidencesOf(id, "upcoming")).toEqual([])
    minute(10)
    expect(await collect(10)).toEqual(["upcoming"])
    expect(await evidencesOf(id, "upcoming")).toEqual([
      { sha: expect.any(String), filepath: expect.any(String), collected_at: at(10) }
    ])
    expect([await collect(100_000), await evidencesOf(id, "past")]).toEqual([[], []])
  })

  it("waits when the time moves away", async () => {
    const { id } = await newProject("moved")
    await release(id, "v1", { released_at: at(20) })
    await done("PUT", pathOf(id, "v1"), { released_at: at(30) })
    expect(await collect(29)).toEqual([])
    expect(await collect(30)).toEqual(["v1"])
  })

  it("tells of issues of its own project alone, and only those who may read them", async () => {
    const group = await make("/groups", { name: "evidence", path: "evidence", visibility: "public" })
    const inGroup = { namespace_id: group, visibility: "public", initialize_with_readme: true }
    const [own, other] = [
      await make("/projects", { name: "own", ...inGroup }),
      await make("/projects", { name: "other", ...inGroup, visibility: "private" })
    ]
    const milestone_id = await make(`/groups/${group}/milestones`, { title: "shared" })
    await done("POST", `/projects/${own}/issues`, { title: "Ours", milestone_id })
    await done("POST", `/projects/${other}/issues`, { title: "Theirs", milestone_id })
    await release(own, "v1", { milestone_ids: [milestone_id] })
    await collect(100)
    const { evidenceId } = await evidenceOf(own, "v1")
    const path = pathOf(own, "v1", `/evidences/${evidenceId}`)
    const [, told] = await ask("GET", path, { token: null })
    const [milestone] = [field(field(told, "release"), "milestones")].flat()
    expect([field(milestone, "issues")].flat().map((issue) => field(issue, "title"))).toEqual(["Ours"])
    await done("PUT", `/projects/${own}`, { issues_access_level: "private" })
    expect(await ask("GET", path, { token: null })).toEqual(forbidden)
    expect((await ask("GET", path))[0]).toBe(200)
  })

  it("comes the earliest first, for one release after the other", async () => {
    const { id } = await newProject("several")
    await release(id, "b", { released_at: at(50) })
    await release(id, "a", { released_at: at(40) })
    expect(await collect(60)).toEqual(["a", "b"])
  })

  it("is read by those who read the code", async () => {
    const project = await newProject("secret", { visibility: "private" })
    const { id } = project
    await release(id, "v1")
    await collect(100)
    const { evidenceId } = await evidenceOf(id, "v1")
    const path = pathOf(id, "v1", `/evidences/${evidenceId}`)
    const [guest, reporter, outsider] = [await person("guest"), await person("reporter"), await person("outsider")]
    await done("POST", `/projects/${id}/members`, { user_id: guest.id, access_level: 10 })
    await done("POST", `/projects/${id}/members`, { user_id: reporter.id, access_level: 20 })
    for (const token of [null, outsider.token]) expect(await ask("GET", path, { token })).toEqual(missingProject)
    expect(await ask("GET", path, { token: guest.token })).toEqual(forbidden)
    expect((await ask("GET", path, { token: reporter.token }))[0]).toBe(200)
    expect(await ask("GET", pathOf(id, "v1", "/evidences/999999"))).toEqual(missingLink)
    expect(await ask("GET", pathOf(id, "v2", `/evidences/${evidenceId}`))).toEqual(missing)
    const { body } = await request("GET", pathOf(id), { token: guest.token })
    expectExactly(body, [releaseShape(service.url, project, { tag: "v1", made: 10, hasCode: false, mayChange: false })])
  })
})
