import { describe, expect, it } from "vitest"
import { anyId, expectExactly, field } from "#test/support/exactly.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { answerOf } from "#test/support/service.ts"
import { forbidden, listed, missingLink, useReleases } from "./useReleases.ts"

const { ask, done, link, make, minute, newProject, pathOf, read, release, service } = useReleases()
const { request } = service

let made = 0
/** A project with a release of `v1`, and the path of its links. */
const newRelease = async () => {
  const project = await newProject(`links-${made++}`)
  await release(project.id, "v1")
  return { ...project, links: pathOf(project.id, "v1", "/assets/links") }
}
const a = { name: "a", url: "https://example.com/a" }
const shown = (id: unknown, more: object = {}) => ({ id, ...a, direct_asset_url: a.url, link_type: "other", ...more })

describe("a link", () => {
  it.each(requestForms)("is made of %s, read, changed and removed", async (_, sentAs) => {
    const { id, links } = await newRelease()
    const fields = { ...a, direct_asset_path: "/bin/tool", link_type: "runbook" }
    const direct = { direct_asset_url: `${service.url}/root/links-${made - 1}/-/releases/v1/downloads/bin/tool` }
    const answer = answerOf(await request("POST", links, sentAs(fields)))
    expectExactly(answer, [201, shown(anyId, { ...direct, link_type: "runbook" })])
    const linkId = field(answer[1], "id")
    const one = `${links}/${linkId}`
    expectExactly(await ask("GET", one), [200, answer[1]])
    expectExactly(await ask("GET", links), [200, [answer[1]]])
    expect(field((await read(id, "v1"))[1], "assets")).toMatchObject({ count: 5, links: [answer[1]] })
    const changed = shown(linkId, { name: "b", ...direct })
    expectExactly(answerOf(await request("PUT", one, sentAs({ name: "b" }))), [200, changed])
    expectExactly(await ask("GET", one), [200, changed])
    expectExactly(await ask("DELETE", one), [200, changed])
    expect(await ask("GET", one)).toEqual(missingLink)
    expect(await ask("GET", links)).toEqual([200, []])
    expect(await ask("DELETE", one)).toEqual(missingLink)
  })

  it("goes back to the type `other` where a change names none, and keeps its path and all else", async () => {
    const { links, path } = await newRelease()
    const id = await make(links, { ...a, filepath: "/abc", link_type: "image" })
    const put = (json: object) => ask("PUT", `${links}/${id}`, { json })
    const direct = { direct_asset_url: `${service.url}/${path}/-/releases/v1/downloads/abc` }
    expectExactly(await put({ name: "a", link_type: "package" }), [200, shown(id, { ...direct, link_type: "package" })])
    expectExactly(await put({ name: "a" }), [200, shown(id, direct)])
    expectExactly(await put({ url: "ftp://example.com/b" }), [200, shown(id, { url: "ftp://example.com/b", ...direct })])
    const other = { direct_asset_url: `${service.url}/${path}/-/releases/v1/downloads/ccc` }
    expectExactly(await put({ ...a, direct_asset_path: "/ccc", filepath: "/ddd" }), [200, shown(id, other)])
    expectExactly(await put({ ...a, filepath: "" }), [200, shown(id)])
  })

  it("has its path below a tag with slashes, too", async () => {
    const { id, path } = await newProject("links-slashes")
    await release(id, "debian/2.4")
    const links = pathOf(id, "debian/2.4", "/assets/links")
    expect(links).toBe(`/projects/${id}/releases/debian%2F2.4/assets/links`)
    const linkId = await make(links, { ...a, direct_asset_path: "/abc" })
    const direct_asset_url = `${service.url}/${path}/-/releases/debian%2F2.4/downloads/abc`
    expectExactly(await ask("GET", `${links}/${linkId}`), [200, shown(linkId, { direct_asset_url })])
  })

  it("is not that of another release", async () => {
    const { id, links } = await newRelease()
    await release(id, "v2")
    const linkId = await make(links, a)
    const other = pathOf(id, "v2", `/assets/links/${linkId}`)
    expect(await ask("GET", other)).toEqual(missingLink)
    expect(await ask("PUT", other, { json: a })).toEqual(missingLink)
    expect(await ask("DELETE", other)).toEqual(missingLink)
    expect(await ask("GET", pathOf(id, "v2", "/assets/links"))).toEqual([200, []])
    expect(await make(pathOf(id, "v2", "/assets/links"), a)).toBe(linkId + 1)
  })

  it("is made and removed once where requests come again", async () => {
    const { links } = await newRelease()
    const headers = { "idempotency-key": "links" }
    const send = () => request("POST", links, { json: a, headers })
    const first = answerOf(await send())
    expectExactly(first, [201, shown(anyId)])
    expectExactly(answerOf(await send()), first)
    expectExactly(await ask("GET", links), [200, [first[1]]])
    const remove = () =>
      request("DELETE", `${links}/${field(first[1], "id")}`, { headers: { "idempotency-key": "links-removed" } })
    const removed = answerOf(await remove())
    expectExactly(removed, [200, first[1]])
    expectExactly(answerOf(await remove()), removed)
  })
})

describe("links", () => {
  it("come the newest first, in pages", async () => {
    const { id, links } = await newRelease()
    for (const name of ["a", "b", "c"]) await make(links, { name, url: `https://example.com/${name}` })
    const all = await request("GET", links)
    expect(listed("name", all)).toEqual(["c", "b", "a"])
    const second = await request("GET", links, { query: { per_page: "2", page: "2" } })
    expect(listed("name", second)).toEqual(["a"])
    const names = ["x-page", "x-per-page", "x-total", "x-total-pages", "x-prev-page", "x-next-page"]
    expect(names.map((name) => second.headers.get(name))).toEqual(["2", "2", "3", "2", "1", ""])
    const at = (page: number, rel: string) =>
      `<${service.url}/api/v4${links}?id=${id}&page=${page}&per_page=2&tag_name=v1>; rel="${rel}"`
    expect(second.headers.get("link")).toBe([at(1, "prev"), at(1, "first"), at(2, "last")].join(", "))
  })

  it("are refused with sentences", async () => {
    const { links } = await newRelease()
    const linkId = await make(links, { ...a, direct_asset_path: "/abc" })
    const b = { name: "b", url: "https://example.com/b" }
    const second = await make(links, b)
    const put = (json: object) => ask("PUT", `${links}/${second}`, { json })
    const post = (json: object) => ask("POST", links, { json: { name: "c", url: "https://example.com/c", ...json } })
    const refused = (...message: ReadonlyArray<string>) => [400, { message }]
    for (const write of [post, put]) {
      expect(await write({ ...b, name: "" })).toEqual(
        refused("Name can't be blank", ...(write === post ? ["Url has already been taken"] : []))
      )
      expect(await write({ url: "" })).toEqual(refused("Url can't be blank"))
      expect(await write({ name: "a" })).toEqual(refused("Name has already been taken"))
      expect(await write({ url: a.url })).toEqual(refused("Url has already been taken"))
      expect(await write({ name: "d", direct_asset_path: "/abc" })).toEqual(refused("Filepath has already been taken"))
      expect(await write({ name: "d", filepath: "abc" })).toEqual(refused("Filepath is in an invalid format"))
      expect(await write({ name: "d", filepath: `/${"a".repeat(128)}` })).toEqual(
        refused("Filepath is too long (maximum is 128 characters)")
      )
      expect(await write({ name: "a", url: a.url, direct_asset_path: "/abc" })).toEqual(
        refused("Name has already been taken", "Url has already been taken", "Filepath has already been taken")
      )
      expect(await write({ name: "d", link_type: "x" })).toEqual([400, { error: "link_type does not have a valid value" }])
    }
    expect(await ask("POST", links, { json: { url: "a" } })).toEqual([400, { error: "name is missing" }])
    expect(await ask("POST", links, { json: { name: "a" } })).toEqual([400, { error: "url is missing" }])
    const nothing = [400, { error: "name, url are missing, at least one parameter must be provided" }]
    expect([await put({}), await put({ link_type: "image" }), await put({ filepath: "/xyz" })]).toEqual([
      nothing,
      nothing,
      nothing
    ])
    expect(listed("id", await request("GET", links))).toEqual([second, linkId])
  })

  it("may take over what another one had", async () => {
    const { links } = await newRelease()
    const first = await make(links, { ...a, direct_asset_path: "/abc" })
    await ask("DELETE", `${links}/${first}`)
    expect(await make(links, { ...a, direct_asset_path: "/abc" })).toBe(first + 1)
  })

  it("of a release that is not there are not found by those who may write them", async () => {
    const { id } = await newProject("links-nowhere")
    const links = pathOf(id, "v1", "/assets/links")
    for (const [method, path] of [
      ["GET", links],
      ["POST", links],
      ["GET", `${links}/1`],
      ["PUT", `${links}/1`],
      ["DELETE", `${links}/1`]
    ] as const)
      expect([method, ...(await ask(method, path, method === "GET" ? {} : { json: a }))]).toEqual([method, ...missingLink])
    expect(await ask("GET", `${links}/x`)).toEqual([400, { error: "link_id is invalid" }])
  })

  it("are gone with the release", async () => {
    const { id, links } = await newRelease()
    const linkId = await make(links, a)
    await ask("DELETE", pathOf(id, "v1"))
    expect(await ask("GET", links)).toEqual(missingLink)
    await release(id, "v1")
    expect(await ask("GET", links)).toEqual([200, []])
    expect(await ask("GET", `${links}/${linkId}`)).toEqual(missingLink)
  })

  it("count as changes of their release", async () => {
    const { id, links } = await newRelease()
    const changedSince = async (time: string) =>
      listed("tag_name", await request("GET", pathOf(id), { query: { updated_after: time } }))
    const linkId = await link(id, "v1", a)
    minute(1)
    expect(await changedSince("2030-01-01T00:00:30Z")).toEqual([])
    await ask("PUT", `${links}/${linkId}`, { json: { name: "b" } })
    expect(await changedSince("2030-01-01T00:00:30Z")).toEqual(["v1"])
    minute(2)
    await ask("DELETE", `${links}/${linkId}`)
    expect(await changedSince("2030-01-01T00:01:30Z")).toEqual(["v1"])
  })

  it("of a release are refused to those who may not write it", async () => {
    const { id, links } = await newRelease()
    const linkId = await make(links, a)
    await done("POST", `/projects/${id}/protected_tags`, { name: "v*", create_access_level: "0" })
    expect(await ask("POST", links, { json: { name: "b", url: "https://example.com/b" } })).toEqual(forbidden)
    expect(await ask("PUT", `${links}/${linkId}`, { json: a })).toEqual(forbidden)
    expect(await ask("DELETE", `${links}/${linkId}`)).toEqual(forbidden)
    expect(await ask("GET", `${links}/${linkId}`)).toEqual([200, shown(linkId)])
  })
})
