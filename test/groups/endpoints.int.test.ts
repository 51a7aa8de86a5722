import { describe, expect, it } from "vitest"
import { anyId, expectExactly, field } from "#test/support/exactly.ts"
import { type Fields, requestForms } from "#test/support/requests/requestForms.ts"
import type { Sent } from "#test/support/service.ts"
import { detailsBody, forbidden, groupBody, groupNotFound, unauthorized } from "./bodies.ts"
import { idOf, useGroups } from "./useGroups.ts"

const { service, as, create, newPath } = useGroups()
const post = (json: object) => service.request("POST", "/groups", { json })
const put = (id: number | string, json: object) => service.request("PUT", `/groups/${id}`, { json })

describe.each(requestForms)("POST /groups as %s", (_, sent) => {
  it("creates a private group with defaults", async () => {
    const path = newPath()
    const { body, status } = await service.request("POST", "/groups", sent({ name: "Engineering", path }))
    expect(status).toBe(201)
    expectExactly(body, detailsBody("Engineering", path, service.url))
  })

  it("takes every attribute", async () => {
    const parent_id = await create(newPath(), { visibility: "public", name: "Parent" })
    const path = newPath()
    const settings = {
      description: "d",
      visibility: "internal",
      share_with_group_lock: true,
      require_two_factor_authentication: true,
      two_factor_grace_period: 7,
      project_creation_level: "noone",
      auto_devops_enabled: true,
      subgroup_creation_level: "owner",
      mentions_disabled: true,
      math_rendering_limits_enabled: false,
      lock_math_rendering_limits_enabled: true,
      default_branch: "trunk",
      default_branch_protection: 4,
      request_access_enabled: false,
      shared_runners_setting: "disabled_and_unoverridable"
    } satisfies Fields
    const input = {
      name: "Child",
      path,
      parent_id,
      emails_disabled: true,
      prevent_sharing_groups_outside_hierarchy: true,
      lfs_enabled: true
    }
    const { body } = await service.request("POST", "/groups", sent({ ...input, ...settings }))
    const parentPath = String(field((await service.request("GET", `/groups/${parent_id}`)).body, "path"))
    expectExactly(body, {
      ...detailsBody("Child", `${parentPath}/${path}`, service.url, {
        ...settings,
        emails_disabled: true,
        emails_enabled: false,
        full_name: "Parent / Child",
        parent_id,
        default_branch_protection_defaults: {
          allowed_to_push: [{ access_level: 40 }],
          allow_force_push: false,
          allowed_to_merge: [{ access_level: 40 }],
          developer_can_initial_push: true
        }
      })
    })
  })
})

describe("POST /groups", () => {
  const rows: ReadonlyArray<readonly [given: string, sent: () => Sent | Promise<Sent>, status: number, body: unknown]> = [
    ["no token", () => ({ token: null, json: {} }), 401, unauthorized],
    ["nothing", () => ({ json: {} }), 400, { error: "name is missing, path is missing" }],
    ["no right and nothing", () => as("external", { json: {} }), 400, { error: "name is missing, path is missing" }],
    [
      "bad values",
      () => ({ json: { name: "n", path: "p", visibility: "secret", default_branch_protection: 9, parent_id: "x" } }),
      400,
      {
        error:
          "parent_id is invalid, visibility does not have a valid value, default_branch_protection does not have a valid value"
      }
    ],
    [
      "a blank name and path",
      () => ({ json: { name: "", path: "" } }),
      400,
      { message: `Failed to save group {:name=>["can't be blank"], :path=>["can't be blank"]}` }
    ],
    [
      "the name of a user",
      () => ({ json: { name: "n", path: "ROOT" } }),
      400,
      { message: 'Failed to save group {:path=>["has already been taken"]}' }
    ],
    [
      "more visibility than its parent",
      async () => ({ json: { name: "n", path: "p", parent_id: await create(newPath()), visibility: "public" } }),
      400,
      {
        message:
          'Failed to save group {:visibility_level=>["public is not allowed since the parent group has a private visibility."]}'
      }
    ],
    ["an unknown parent", () => ({ json: { name: "n", path: "p", parent_id: 999_999 } }), 404, groupNotFound],
    ["the namespace of a user as parent", () => ({ json: { name: "n", path: "p", parent_id: 1 } }), 404, groupNotFound],
    ["no right to create groups", () => as("external", { json: { name: "n", path: "p" } }), 403, forbidden]
  ]
  it.each(rows)("with %s", async (_, sent, status, body) => {
    const received = await service.request("POST", "/groups", await sent())
    expect([received.status, received.body]).toEqual([status, body])
  })

  it("a path is taken in any case, but only beside", async () => {
    const path = newPath()
    const parent_id = await create(path)
    const taken = { message: 'Failed to save group {:path=>["has already been taken"]}' }
    expect((await post({ name: "n", path: path.toUpperCase() })).body).toEqual(taken)
    await create("child", { parent_id })
    expect((await post({ name: "n", path: "Child", parent_id })).body).toEqual(taken)
    await create("child", { parent_id: await create(newPath()) })
    const account = { username: path, name: "n", email: `${path}@example.com`, force_random_password: true }
    const user = await service.request("POST", "/users", { json: account })
    expect([user.status, user.body]).toEqual([400, { message: { username: ["has already been taken"] } }])
  })

  it("has at most twenty groups above it", async () => {
    let parent_id = await create(newPath())
    for (let above = 1; above <= 20; above++) parent_id = await create(newPath(), { parent_id })
    expect((await post({ name: "n", path: "p", parent_id })).body).toEqual({
      message: 'Failed to save group {:parent_id=>["has too deep level of nesting"]}'
    })
  })

  it("details of a protection stand above its number", async () => {
    const defaults = { allowed_to_push: [{ access_level: 30 }], allow_force_push: true }
    const { body } = await post({
      name: "n",
      path: newPath(),
      default_branch_protection: 4,
      default_branch_protection_defaults: defaults
    })
    expect(field(body, "default_branch_protection_defaults")).toEqual({
      ...defaults,
      allowed_to_merge: [{ access_level: 40 }],
      developer_can_initial_push: false
    })
  })
})

describe("GET /groups/:id", () => {
  it("by id, path and path in any case; with and without projects", async () => {
    const path = newPath()
    const parent_id = await create(path, { visibility: "public", name: "Top" })
    const id = await create("inner.most", { parent_id, visibility: "public" })
    const whole = detailsBody("inner.most", `${path}/inner.most`, service.url, {
      parent_id,
      visibility: "public",
      full_name: "Top / inner.most"
    })
    const encoded = `${path}%2Finner.most`
    for (const way of [String(id), encoded, encoded.toUpperCase().replace("GROUP", "Group"), encoded.replace(".", "%2E")]) {
      expectExactly((await service.request("GET", `/groups/${way}`)).body, whole)
    }
    const { projects: _, shared_projects: __, ...without } = whole
    const asked = await service.request("GET", `/groups/${id}`, { query: { with_projects: "false" } })
    expectExactly(asked.body, without)
    const { runners_token: ___, ...others } = whole
    expectExactly((await service.request("GET", `/groups/${id}`, { token: null })).body, others)
  })

  it.each(["999999", "-1", "nobody", "root", "1", "a%2Fb", "%2F", "a%2F%2Fb", "%20"])("knows no group %s", async (id) => {
    expect(await service.request("GET", `/groups/${id}`)).toMatchObject({ status: 404, body: groupNotFound })
  })
})

describe.each(requestForms)("PUT /groups/:id as %s", (_, sent) => {
  it("changes what is given", async () => {
    const path = newPath()
    const id = await create(path, { description: "d", emails_enabled: false })
    const renamed = newPath()
    const input = { name: "New", path: renamed, visibility: "public", default_branch_protection: 1, emails_enabled: true }
    const { body, status } = await service.request("PUT", `/groups/${id}`, sent(input))
    expect(status).toBe(200)
    const protection = {
      default_branch_protection: 1,
      default_branch_protection_defaults: {
        allowed_to_push: [{ access_level: 30 }],
        allow_force_push: false,
        allowed_to_merge: [{ access_level: 40 }],
        developer_can_initial_push: false
      }
    }
    expectExactly(body, detailsBody("New", renamed, service.url, { description: "d", visibility: "public", ...protection }))
  })
})

describe("PUT /groups/:id", () => {
  it("without anything changes nothing", async () => {
    const path = newPath()
    const received = await put(await create(path), {})
    expect(received.status).toBe(200)
    expectExactly(received.body, detailsBody(path, path, service.url))
  })

  it.each<[string, object, object]>([
    ["a blank name", { name: "" }, { name: ["can't be blank"] }],
    ["a null path", { path: null }, { path: ["can't be blank"] }],
    ["a taken path", { path: "owner" }, { path: ["has already been taken"] }],
    ["a reserved path", { path: "api" }, { path: ["is a reserved name"] }],
    ["a long description", { description: "d".repeat(501) }, { description: ["is too long (maximum is 500 characters)"] }]
  ])("refuses %s", async (_, input, message) => {
    const received = await put(await create(newPath()), input)
    expect([received.status, received.body]).toEqual([400, { message }])
  })

  it("keeps visibility between parent and children", async () => {
    const parent_id = await create(newPath(), { visibility: "internal" })
    const id = await create(newPath(), { parent_id, visibility: "internal" })
    expect((await put(id, { visibility: "public" })).body).toEqual({
      message: { visibility_level: ["public is not allowed since the parent group has a internal visibility."] }
    })
    expect((await put(parent_id, { visibility: "private" })).body).toEqual({
      message: { visibility_level: ["private is not allowed since there are sub-groups with higher visibility."] }
    })
    expect((await put(id, { visibility: "private" })).status).toBe(200)
    expect((await put(parent_id, { visibility: "private" })).status).toBe(200)
  })

  it("knows no group that is not there", async () => {
    expect(await put(999_999, { name: "n" })).toMatchObject({ status: 404, body: groupNotFound })
  })
})

describe("a former path", () => {
  it("leads to the group and what is in it, until it is taken", async () => {
    const [before, after] = [newPath(), newPath()]
    const parent_id = await create(before, { visibility: "public" })
    const id = await create("child", { parent_id, visibility: "public" })
    await put(parent_id, { path: after })
    const url = `${service.url}/api/v4/groups`
    for (const [path, location] of [
      [`/groups/${before}?a=b`, `${url}/${parent_id}?a=b`],
      [`/groups/${before}%2Fchild`, `${url}/${id}`],
      [`/groups/${before.toUpperCase().replace("GROUP", "Group")}/subgroups`, `${url}/${parent_id}/subgroups`]
    ] as const) {
      const received = await service.request("GET", path, { token: null })
      expect([received.status, received.headers.get("location")]).toEqual([301, location])
      expect(received.headers.get("content-type")).toBe("text/plain")
      expect(received.body).toBe(`This resource has been moved permanently to ${location}`)
    }
    expect(await put(before, { name: "n" })).toMatchObject({
      status: 405,
      body: { message: "Non GET methods are not allowed for moved groups" }
    })
    await put(parent_id, { visibility: "public", path: after.toUpperCase() })
    expect((await service.request("GET", `/groups/${after}`)).status).toBe(200)
    const taker = await create(before)
    expect(field((await service.request("GET", `/groups/${before}`)).body, "id")).toBe(taker)
    expect((await service.request("GET", `/groups/${before}%2Fchild`)).status).toBe(404)
  })

  it("of a hidden group leads nowhere", async () => {
    const [before, after] = [newPath(), newPath()]
    await put(await create(before), { path: after })
    expect(await service.request("GET", `/groups/${before}`, as("outsider"))).toMatchObject({ status: 404, body: groupNotFound })
  })

  it("of a user leads to their namespace", async () => {
    const id = idOf(
      await service.request("POST", "/users", {
        json: { username: "before", name: "B", email: "before@example.com", force_random_password: true }
      })
    )
    await service.request("PUT", `/users/${id}`, { json: { username: "after" } })
    expect((await service.request("GET", "/namespaces/before")).body).toMatchObject({ path: "after" })
  })
})

describe("DELETE /groups/:id", () => {
  it("deletes the group with all below it, whose paths are free then", async () => {
    const path = newPath()
    const top = await create(path)
    const middle = await create("middle", { parent_id: top })
    const bottom = await create("bottom", { parent_id: middle })
    const received = await service.request("DELETE", `/groups/${path}`)
    expect([received.status, received.body]).toEqual([202, { message: "202 Accepted" }])
    for (const id of [top, middle, bottom]) {
      expect(await service.request("GET", `/groups/${id}`)).toMatchObject({ status: 404, body: groupNotFound })
    }
    expect((await service.request("DELETE", `/groups/${top}`)).body).toEqual(groupNotFound)
    expect(await create(path)).not.toBe(top)
  })

  it("only if it was not changed since then", async () => {
    const id = await create(newPath())
    const since = (date: string) => service.request("DELETE", `/groups/${id}`, { headers: { "if-unmodified-since": date } })
    expect(await since("Sat, 01 Jan 2000 00:00:00 GMT")).toMatchObject({
      status: 412,
      body: { message: "412 Precondition Failed" }
    })
    expect((await since("Fri, 01 Jan 2100 00:00:00 GMT")).status).toBe(202)
  })
})

it("lists show groups as they are read, but for what only a single one shows", async () => {
  const path = newPath()
  await create(path, { name: "Only listed" })
  const { body } = await service.request("GET", "/groups", { query: { search: "only listed" } })
  expectExactly(body, [groupBody("Only listed", path, service.url, { id: anyId })])
})
