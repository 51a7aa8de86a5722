import { describe, expect, it } from "vitest"
import { levels, type Somebody } from "#test/support/people/everybody.ts"
import type { Sent } from "#test/support/service.ts"
import { releaseShape } from "./shapes.ts"
import { forbidden, missing, missingLink, missingProject, type Project, useReleases } from "./useReleases.ts"

const { ask, done, link, newProject, pathOf, person, release, service, tag } = useReleases()

const people = [
  "anonymous",
  "outsider",
  "guest",
  "reporter",
  "developer",
  "maintainer",
  "owner"
] as const satisfies ReadonlyArray<Somebody>
type Name = (typeof people)[number]
type Tokens = Readonly<Record<Name, string | null>>

/** A token for each of the people, who are members of a project as their names say. */
const tokensOf = async (projectId: number): Promise<Tokens> => {
  const tokenOf = async (name: Name) => {
    const { id, token } = await person(`${name}-${projectId}`)
    const access_level = levels[name]
    if (access_level !== undefined) await done("POST", `/projects/${projectId}/members`, { user_id: id, access_level })
    return token
  }
  const [outsider, guest, reporter] = [await tokenOf("outsider"), await tokenOf("guest"), await tokenOf("reporter")]
  const [developer, maintainer, owner] = [await tokenOf("developer"), await tokenOf("maintainer"), await tokenOf("owner")]
  return { anonymous: null, outsider, guest, reporter, developer, maintainer, owner }
}

/** A project with a release of `v1` with a link `/bin/tool`, and another tag `v0`. */
const released = async (name: string, settings: object) => {
  const project = await newProject(name, settings)
  await tag(project.id, "v0")
  await release(project.id, "v1")
  const linkId = await link(project.id, "v1", { name: "Tool", url: "https://example.com/tool", direct_asset_path: "/bin/tool" })
  return { project, linkId, tokens: await tokensOf(project.id) }
}

const links = (id: number, more = "") => pathOf(id, "v1", `/assets/links${more}`)
const json = { name: "b", url: "https://example.com/b" }

/** What each of the people is answered: the whole answer where it is refused, else the status. */
const answers = async (tokens: Tokens, method: string, path: string, sent: Sent = {}) => {
  const all: Array<[string, unknown]> = []
  for (const name of people) {
    const [status, body] = await ask(method, path, { ...sent, token: tokens[name] })
    all.push([name, Number(status) < 400 ? status : [status, body]])
  }
  return Object.fromEntries(all)
}
const each = (...of: ReadonlyArray<unknown>) => Object.fromEntries(people.map((name, index) => [name, of[index]]))

const readsOf = (id: number) => [
  pathOf(id, "v1"),
  pathOf(id, "v1", "/downloads/bin/tool"),
  pathOf(id, undefined, "/permalink/latest")
]
const below = (id: number) => pathOf(id, undefined, "/permalink/latest/assets/links")

describe("who reads", () => {
  it("releases of a private project: its members, Guests only the list and the links", async () => {
    const { linkId, project, tokens } = await released("private", { visibility: "private" })
    const { id } = project
    for (const path of [pathOf(id), links(id), links(id, `/${linkId}`)])
      expect(await answers(tokens, "GET", path)).toEqual(each(missingProject, missingProject, 200, 200, 200, 200, 200))
    for (const path of [...readsOf(id), below(id)]) {
      const ok = path === pathOf(id, "v1") ? 200 : 302
      expect(await answers(tokens, "GET", path)).toEqual(each(missingProject, missingProject, forbidden, ok, ok, ok, ok))
    }
    const unknown = pathOf(id, "v9")
    expect(await answers(tokens, "GET", unknown)).toEqual(
      each(missingProject, missingProject, forbidden, missing, missing, missing, missing)
    )
  })

  it("releases of a public project: everybody", async () => {
    const { project, tokens } = await released("public", { visibility: "public" })
    const { id } = project
    for (const path of [pathOf(id), pathOf(id, "v1"), links(id)])
      expect(await answers(tokens, "GET", path)).toEqual(each(200, 200, 200, 200, 200, 200, 200))
    for (const path of [...readsOf(id).slice(1), below(id)])
      expect(await answers(tokens, "GET", path)).toEqual(each(302, 302, 302, 302, 302, 302, 302))
    expect(await ask("GET", pathOf(id), { token: "glpat-nobody-has-this-00" })).toEqual([401, { message: "401 Unauthorized" }])
  })

  it("releases of a public project that keeps them, or its code, for members", async () => {
    const { linkId, project, tokens } = await released("kept", { visibility: "public" })
    const { id } = project
    await done("PUT", `/projects/${id}`, { releases_access_level: "private" })
    for (const path of [pathOf(id), pathOf(id, "v1"), links(id), links(id, `/${linkId}`)])
      expect(await answers(tokens, "GET", path)).toEqual(each(forbidden, forbidden, 200, 200, 200, 200, 200))
    const repository = {
      repository_access_level: "private",
      merge_requests_access_level: "private",
      builds_access_level: "private"
    }
    await done("PUT", `/projects/${id}`, { releases_access_level: "enabled", ...repository })
    expect(await answers(tokens, "GET", pathOf(id))).toEqual(each(200, 200, 200, 200, 200, 200, 200))
    expect(await answers(tokens, "GET", pathOf(id, "v1"))).toEqual(each(forbidden, forbidden, 200, 200, 200, 200, 200))
  })

  it("releases that are switched off: nobody, and nobody writes them", async () => {
    const { linkId, project, tokens } = await released("disabled", { visibility: "public" })
    const { id } = project
    await done("PUT", `/projects/${id}`, { releases_access_level: "disabled" })
    const all = each(...people.map(() => forbidden))
    for (const path of [pathOf(id), ...readsOf(id), below(id), links(id), links(id, `/${linkId}`)])
      expect([path, await answers(tokens, "GET", path)]).toEqual([path, all])
    expect(await answers(tokens, "POST", pathOf(id), { json: { tag_name: "v0" } })).toEqual(all)
    expect(await answers(tokens, "PUT", pathOf(id, "v1"), { json: { name: "a" } })).toEqual(all)
    expect(await ask("GET", pathOf(id))).toEqual(forbidden)
    await done("PUT", `/projects/${id}`, { releases_access_level: "enabled" })
    expect(await answers(tokens, "GET", pathOf(id, "v1"))).toEqual(each(200, 200, 200, 200, 200, 200, 200))
  })
})

describe("what is seen", () => {
  const shape = (project: Project, linkId: number, seen: { readonly hasCode?: boolean; readonly mayChange?: boolean }) => {
    const { url } = service
    const direct_asset_url = `${url}/${project.path}/-/releases/v1/downloads/bin/tool`
    const tool = { id: linkId, name: "Tool", url: "https://example.com/tool", direct_asset_url, link_type: "other" }
    return releaseShape(url, project, { tag: "v1", links: [tool], ...seen })
  }

  it("by Guests of a private project is without code; only those who may change it are told where", async () => {
    const { linkId, project, tokens } = await released("reduced", { visibility: "private" })
    const seen = (name: Name) => ask("GET", pathOf(project.id), { token: tokens[name] })
    expect(await seen("guest")).toEqual([200, [shape(project, linkId, { hasCode: false, mayChange: false })]])
    expect(await seen("reporter")).toEqual([200, [shape(project, linkId, { mayChange: false })]])
    expect(await seen("developer")).toEqual([200, [shape(project, linkId, {})]])
    await done("POST", `/projects/${project.id}/protected_tags`, { name: "v1" })
    expect(await seen("developer")).toEqual([200, [shape(project, linkId, { mayChange: false })]])
    expect(await seen("maintainer")).toEqual([200, [shape(project, linkId, {})]])
  })

  it("by everybody of a public project is the same, in full", async () => {
    const { linkId, project, tokens } = await released("full", { visibility: "public" })
    for (const name of ["anonymous", "outsider", "guest"] as const)
      expect(await ask("GET", pathOf(project.id), { token: tokens[name] })).toEqual([
        200,
        [shape(project, linkId, { mayChange: false })]
      ])
  })
})

describe("who writes", () => {
  const writesOf = (id: number, linkId: number): ReadonlyArray<readonly [string, string, Sent]> => [
    ["POST", pathOf(id), { json: { tag_name: "v0" } }],
    ["PUT", pathOf(id, "v1"), { json: { name: "a" } }],
    ["POST", links(id), { json }],
    ["PUT", links(id, `/${linkId}`), { json: { name: "c" } }],
    ["DELETE", links(id, `/${linkId}`), {}],
    ["DELETE", pathOf(id, "v1"), {}]
  ]

  it("Developers and above, everything", async () => {
    const { linkId, project, tokens } = await released("writable", { visibility: "public" })
    for (const [method, path, sent] of writesOf(project.id, linkId))
      for (const name of ["anonymous", "outsider", "guest", "reporter"] as const)
        expect([method, path, ...(await ask(method, path, { ...sent, token: tokens[name] }))]).toEqual([
          method,
          path,
          ...forbidden
        ])
    const statuses = []
    for (const [method, path, sent] of writesOf(project.id, linkId))
      statuses.push((await ask(method, path, { ...sent, token: tokens.developer }))[0])
    expect(statuses).toEqual([201, 200, 201, 200, 200, 200])
  })

  it("nobody in a project that they do not see", async () => {
    const { linkId, project, tokens } = await released("unseen", { visibility: "private" })
    for (const [method, path, sent] of writesOf(project.id, linkId)) {
      for (const name of ["anonymous", "outsider"] as const)
        expect([method, path, ...(await ask(method, path, { ...sent, token: tokens[name] }))]).toEqual([
          method,
          path,
          ...missingProject
        ])
      for (const name of ["guest", "reporter"] as const)
        expect([method, path, ...(await ask(method, path, { ...sent, token: tokens[name] }))]).toEqual([
          method,
          path,
          ...forbidden
        ])
    }
  })

  it("those who may create the tag, where it is protected", async () => {
    const { linkId, project, tokens } = await released("protected", { visibility: "public" })
    await done("POST", `/projects/${project.id}/protected_tags`, { name: "v*" })
    const isProtected = [403, { message: "You are not allowed to create this tag as it is protected." }]
    const token = tokens.developer
    for (const [method, path, sent] of writesOf(project.id, linkId))
      expect([method, path, ...(await ask(method, path, { ...sent, token }))]).toEqual([
        method,
        path,
        ...(path === pathOf(project.id) ? isProtected : forbidden)
      ])
    for (const tag_name of ["v1", "v7"])
      expect(await ask("POST", pathOf(project.id), { json: { tag_name }, token })).toEqual(isProtected)
    expect(await ask("POST", pathOf(project.id), { json: { tag_name: "v0" }, token: tokens.reporter })).toEqual(forbidden)
    expect(await ask("POST", pathOf(project.id), { json: { tag_name: "w1", ref: "main" }, token })).toMatchObject([201, {}])
    const statuses = []
    for (const [method, path, sent] of writesOf(project.id, linkId))
      statuses.push((await ask(method, path, { ...sent, token: tokens.maintainer }))[0])
    expect(statuses).toEqual([201, 200, 201, 200, 200, 200])
  })

  it("nobody in an archived project, which is read as before", async () => {
    const { linkId, project, tokens } = await released("archived", { visibility: "public" })
    await done("POST", `/projects/${project.id}/archive`)
    for (const [method, path, sent] of writesOf(project.id, linkId))
      for (const token of [tokens.owner, undefined])
        expect([method, path, ...(await ask(method, path, { ...sent, token }))]).toEqual([method, path, ...forbidden])
    for (const path of [pathOf(project.id), pathOf(project.id, "v1"), links(project.id)])
      expect(await answers(tokens, "GET", path)).toEqual(each(200, 200, 200, 200, 200, 200, 200))
  })

  it("and is told of what is missing only if they may", async () => {
    const { project, tokens } = await released("untold", { visibility: "public" })
    for (const method of ["PUT", "DELETE"]) {
      expect(await answers(tokens, method, links(project.id, "/999"), { json })).toEqual(
        each(forbidden, forbidden, forbidden, forbidden, missingLink, missingLink, missingLink)
      )
      expect(await answers(tokens, method, pathOf(project.id, "v9"), { json })).toEqual(each(...people.map(() => forbidden)))
    }
  })
})
