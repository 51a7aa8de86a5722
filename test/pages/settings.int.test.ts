import { describe, expect, it } from "vitest"
import { expectExactly } from "#test/support/exactly.ts"
import { answerOf, useService } from "#test/support/service.ts"
import { usePages } from "./usePages.ts"

const { ask, newProject, path, person, publish, service } = usePages()
const { request } = service

const [missing, forbidden, unauthorized] = [
  [404, { message: "404 Project Not Found" }],
  [403, { message: "403 Forbidden" }],
  [401, { message: "401 Unauthorized" }]
]

describe("the settings of pages", () => {
  it("are shown, changed one by one, and stay", async () => {
    const id = await newProject("settings")
    const byPath = `${service.url}/-/pages-site/root/settings`
    const initial = { url: byPath, deployments: [], is_unique_domain_enabled: false, force_https: false }
    const { body, status } = await request("GET", path(id))
    expect(status).toBe(200)
    expectExactly(body, initial)
    expect(await ask("PATCH", id)).toEqual([200, initial])
    expect(await ask("PATCH", id, { json: { pages_https_only: true } })).toEqual([200, { ...initial, force_https: true }])

    const on = await request("PATCH", path(id), { form: { pages_unique_domain_enabled: "true" } })
    const url: unknown = expect.stringMatching(new RegExp(`^${service.url}/-/pages-site/settings-[0-9a-f]{12}$`))
    expect(on.body).toEqual({ ...initial, force_https: true, is_unique_domain_enabled: true, url })
    const off = { pages_unique_domain_enabled: null, pages_https_only: null }
    expect(await ask("PATCH", id, { json: off })).toEqual([200, initial])
    const again = await request("PATCH", path(id), { json: { pages_unique_domain_enabled: true } })
    expect(again.body).toEqual({ ...initial, is_unique_domain_enabled: true, url: (on.body as { readonly url: string }).url })
    expect(await ask("GET", id)).toEqual([200, again.body])
  })

  it("are refused in the order of the reference", async () => {
    const id = await newProject("order", { visibility: "private" })
    const maintainer = await person(id, "order-maintainer", 40)
    const developer = await person(id, "order-developer", 30)
    const outsider = await person(id, "order-outsider", 0)
    const wrong = { json: { pages_https_only: "x", pages_unique_domain_enabled: null } }
    const invalid = [400, { error: "pages_https_only is invalid" }]
    for (const token of [null, outsider, maintainer, undefined])
      expect(await ask("PATCH", id, { token, ...wrong })).toEqual(invalid)
    expect(await ask("PATCH", 999_999, wrong)).toEqual(invalid)
    for (const method of ["PATCH", "DELETE"]) {
      for (const token of [outsider, developer, maintainer]) expect(await ask(method, id, { token })).toEqual(forbidden)
      expect(await ask(method, id, { token: null })).toEqual(unauthorized)
      expect(await ask(method, 999_999, { token: outsider })).toEqual(forbidden)
      expect(await ask(method, 999_999)).toEqual(missing)
    }
    for (const token of [null, outsider]) expect(await ask("GET", id, { token })).toEqual(missing)
    expect(await ask("GET", id, { token: developer })).toEqual(forbidden)
    expect(answerOf(await request("GET", `/projects/${encodeURIComponent("root/order")}/pages`, { token: maintainer }))[0]).toBe(
      200
    )
    expect(await ask("GET", await newProject("order-public"), { token: null })).toEqual(forbidden)
  })

  it("are not there for a project that has pages switched off, but what is published still goes", async () => {
    const id = await newProject("switched-off")
    await publish(id, { "index.html": "a" })
    await request("PUT", `/projects/${id}`, { json: { pages_access_level: "disabled", visibility: "private" } })
    const [outsider, owner] = [await person(id, "off-outsider", 0), await person(id, "off-owner", 50)]
    for (const token of [undefined, owner])
      for (const method of ["GET", "PATCH"]) expect(await ask(method, id, { token })).toEqual(forbidden)
    expect(await ask("GET", id, { token: outsider })).toEqual(missing)
    expect(await ask("DELETE", id)).toEqual([204, undefined])
    await request("PUT", `/projects/${id}`, { json: { pages_access_level: "enabled" } })
    expect((await request("GET", path(id))).body).toMatchObject({ deployments: [], is_unique_domain_enabled: true })
    expect(await ask("DELETE", id)).toEqual([204, undefined])
  })

  it("tell who may see the site", async () => {
    const id = await newProject("access", { visibility: "public" })
    const tokens = { nobody: null, outsider: await person(id, "access-outsider", 0), guest: await person(id, "access-guest", 10) }
    const may = async (level: string) => {
      await request("PUT", `/projects/${id}`, { json: { pages_access_level: level } })
      const answers = [...Object.values(tokens), undefined].map((token) =>
        request("GET", `/projects/${id}/pages_access`, { token })
      )
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect([await may("public"), await may("enabled")]).toEqual([
      [200, 200, 200, 200],
      [200, 200, 200, 200]
    ])
    expect([await may("private"), await may("disabled")]).toEqual([
      [403, 403, 200, 200],
      [403, 403, 403, 403]
    ])
    expect(answerOf(await request("GET", "/projects/999999/pages_access"))).toEqual(missing)
  })
})

describe("an installation without pages", () => {
  const without = useService({ PAGES_ENABLED: "false" })

  it("has none of their endpoints, whoever asks", async () => {
    const { body } = await without.request("POST", "/projects", { json: { name: "none", visibility: "public" } })
    const { id } = body as { readonly id: number }
    for (const token of [undefined, null, "unknown"])
      for (const method of ["GET", "PATCH", "DELETE"])
        expect(answerOf(await without.request(method, `/projects/${id}/pages`, { token }))).toEqual([
          404,
          { message: "404 Not Found" }
        ])
    expect((await fetch(`${without.url}/-/pages-site/root/none/`)).status).toBe(404)
  })
})
