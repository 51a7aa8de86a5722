import { describe, expect, it, onTestFinished } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { type Fields, requestForms } from "#test/support/requests/requestForms.ts"
import { notFound } from "#test/support/rows.ts"
import type { Received, Sent } from "#test/support/service.ts"
import { pem } from "./samples.ts"
import { complete, idOf, onPlatform, platformShape, shape, useClusters } from "./useClusters.ts"

const { service, put, read, remove, ...clusters } = useClusters()

const expectShape = ({ body }: Received, changes: object) => expectExactly(body, { ...shape, ...changes })

/** Adds a cluster that is gone after the test, so that each has the scopes to itself. */
const add = async (sent: Sent): Promise<Received> => {
  const added = await clusters.add(sent)
  if (added.status === 201) onTestFinished(async () => void (await remove(idOf(added))))
  return added
}

type Row = readonly [given: string, fields: Fields, shown: object]

const shownPlatform = (fields: object) => ({ platform_kubernetes: { ...platformShape, ...fields } })
const everyCharacter = ["aZ09-_/$", "{}.* x"].join("")
const unicode = "Grüße 👩🏽‍🚀 𝔠𝔩𝔲𝔰𝔱𝔢𝔯"
/** A certificate of one mebibyte. */
const longPem = `-----BEGIN CERTIFICATE-----\n${"MIIB".repeat(2 ** 18)}\n-----END CERTIFICATE-----`

const addRows: ReadonlyArray<Row> = [
  ["only what is required", complete, {}],
  [
    "everything",
    {
      name: "eu",
      enabled: false,
      environment_scope: "review/*",
      namespace_per_environment: false,
      domain: "k8s.example.com",
      managed: false,
      platform_kubernetes_attributes: {
        api_url: "https://203.0.113.7:6443/base",
        token: "t",
        ca_cert: pem,
        namespace: "team-a",
        authorization_type: "abac"
      }
    },
    {
      name: "eu",
      domain: "k8s.example.com",
      enabled: false,
      managed: false,
      environment_scope: "review/*",
      namespace_per_environment: false,
      platform_kubernetes: {
        api_url: "https://203.0.113.7:6443/base",
        namespace: "team-a",
        authorization_type: "abac",
        ca_cert: pem
      }
    }
  ],
  ["unknown parameters", { ...complete, id: 77, provider_type: "gcp", user_id: 9, project: "x" }, {}],
  [
    "authorization_type unknown_authorization",
    onPlatform({ authorization_type: "unknown_authorization" }),
    shownPlatform({ authorization_type: "unknown_authorization" })
  ],
  ["a scope with blanks around", { ...complete, environment_scope: " a b " }, { environment_scope: "a b" }],
  [
    "every character that a scope may have",
    { ...complete, environment_scope: everyCharacter },
    { environment_scope: everyCharacter }
  ],
  ["a scope of 255 characters", { ...complete, environment_scope: "a".repeat(255) }, { environment_scope: "a".repeat(255) }],
  ["an empty domain", { ...complete, domain: "" }, {}],
  ["a domain of digits and capitals", { ...complete, domain: "10.20.EXAMPLE.com" }, { domain: "10.20.EXAMPLE.com" }],
  ["empty switches, which are not given", { ...complete, enabled: "", managed: "", namespace_per_environment: "" }, {}],
  [
    "switches in other words",
    { ...complete, enabled: "off", managed: "n", namespace_per_environment: 0 },
    {
      enabled: false,
      managed: false,
      namespace_per_environment: false
    }
  ],
  ["an empty management_project_id", { ...complete, management_project_id: "" }, {}],
  ["a namespace although it is managed", onPlatform({ namespace: "team" }), shownPlatform({ namespace: "team" })],
  ["a namespace in capitals, of one character", onPlatform({ namespace: "A" }), shownPlatform({ namespace: "a" })],
  ["a namespace that begins with a digit", onPlatform({ namespace: "0a" }), shownPlatform({ namespace: "0a" })],
  ["an empty namespace and certificate", onPlatform({ namespace: "", ca_cert: "" }), {}],
  ["a certificate with blanks around", onPlatform({ ca_cert: `\n ${pem}\r\n` }), shownPlatform({ ca_cert: pem })],
  ["two certificates", onPlatform({ ca_cert: `${pem}\n${pem}` }), shownPlatform({ ca_cert: `${pem}\n${pem}` })],
  [
    "an address of this machine",
    onPlatform({ api_url: "http://127.0.0.1:6443" }),
    shownPlatform({ api_url: "http://127.0.0.1:6443" })
  ],
  ["a name of characters beyond 16 bits", { ...complete, name: unicode }, { name: unicode }],
  ["a number for a name", { ...complete, name: 42 }, { name: "42" }]
]

describe.each(requestForms)("POST /admin/clusters/add as %s", (_, sent) => {
  it.each(addRows)("takes %s", async (_, fields, shown) => {
    const added = await add(sent(fields))
    expect(added.status).toBe(201)
    expectShape(added, shown)
    const { status, body } = await read(idOf(added))
    expect(status).toBe(200)
    expectExactly(body, added.body)
  })
})

describe.each(requestForms.filter(([form]) => form !== "query"))("a certificate of one mebibyte as %s", (_, sent) => {
  it("is taken, shown, and may be replaced", async () => {
    const added = await add(sent(onPlatform({ ca_cert: longPem })))
    expectShape(added, shownPlatform({ ca_cert: longPem }))
    const changed = await put(idOf(added), sent({ platform_kubernetes_attributes: { ca_cert: pem } }))
    expectShape(changed, { ...shownPlatform({ ca_cert: pem }), project: null })
  })
})

/** Each is sent to a cluster that was added with everything of `fuller`. */
const fuller: Fields = {
  ...onPlatform({ ca_cert: pem, namespace: "team", authorization_type: "abac" }),
  domain: "example.com",
  environment_scope: "old"
}
const fullerPlatform = { ...platformShape, namespace: "team", authorization_type: "abac", ca_cert: pem }
const changedPlatform = (fields: object) => ({ platform_kubernetes: { ...fullerPlatform, ...fields } })

const changeRows: ReadonlyArray<Row> = [
  ["nothing", {}, {}],
  ["a name", { name: unicode }, { name: unicode }],
  ["a scope", { environment_scope: " new " }, { environment_scope: "new" }],
  ["the same scope", { environment_scope: "old" }, {}],
  ["a name and a scope", { name: "b", environment_scope: "new" }, { name: "b", environment_scope: "new" }],
  [
    "switches",
    { enabled: false, managed: false, namespace_per_environment: false },
    {
      enabled: false,
      managed: false,
      namespace_per_environment: false
    }
  ],
  ["empty switches, which are not given", { enabled: "", managed: "", namespace_per_environment: "" }, {}],
  ["another domain", { domain: "a.example.com" }, { domain: "a.example.com" }],
  ["no domain", { domain: "" }, { domain: null }],
  [
    "another address",
    { platform_kubernetes_attributes: { api_url: "http://10.0.0.1" } },
    changedPlatform({ api_url: "http://10.0.0.1" })
  ],
  [
    "another certificate",
    { platform_kubernetes_attributes: { ca_cert: `${pem}\n${pem}` } },
    changedPlatform({ ca_cert: `${pem}\n${pem}` })
  ],
  ["no certificate", { platform_kubernetes_attributes: { ca_cert: "" } }, changedPlatform({ ca_cert: null })],
  ["another namespace", { platform_kubernetes_attributes: { namespace: "B" } }, changedPlatform({ namespace: "b" })],
  ["no namespace", { platform_kubernetes_attributes: { namespace: "" } }, changedPlatform({ namespace: null })],
  ["a blank token", { platform_kubernetes_attributes: { token: " " } }, {}],
  ["another token", { platform_kubernetes_attributes: { token: "another-secret" } }, {}],
  ["authorization_type, which is not accepted", { platform_kubernetes_attributes: { authorization_type: "rbac" } }, {}],
  ["an unknown authorization_type", { platform_kubernetes_attributes: { authorization_type: "x" } }, {}]
]

describe.each(requestForms)("PUT /admin/clusters/:cluster_id as %s", (_, sent) => {
  it.each(changeRows)("changes %s", async (_, fields, shown) => {
    const added = await add({ json: fuller })
    const before = { domain: "example.com", environment_scope: "old", platform_kubernetes: fullerPlatform }
    expectShape(added, before)
    const changed = await put(idOf(added), sent(fields))
    expect(changed.status).toBe(200)
    const same = { id: idOf(added), created_at: field(added.body, "created_at") }
    expectShape(changed, { ...same, ...before, ...shown, project: null })
    expectShape(await read(idOf(added)), { ...same, ...before, ...shown })
  })

  it("resets namespace_per_environment unless it is given", async () => {
    const added = await add({ json: { ...complete, namespace_per_environment: false } })
    const change = (fields: Fields) => put(idOf(added), sent(fields))
    expectShape(await change({ namespace_per_environment: false }), { namespace_per_environment: false, project: null })
    expectShape(await change({}), { project: null })
  })
})

it("JSON null is an absent value of an addition, and clears in a change", async () => {
  const nothing = { domain: null, enabled: null, management_project_id: null, environment_scope: null }
  const added = await add({ json: { ...complete, ...nothing } })
  expectShape(added, {})
  const json = { domain: "example.com", platform_kubernetes_attributes: { namespace: "team", ca_cert: pem } }
  await put(idOf(added), { json })
  const cleared = { domain: null, enabled: null, platform_kubernetes_attributes: { namespace: null, ca_cert: null, token: null } }
  expectShape(await put(idOf(added), { json: cleared }), { project: null })
  expectShape(await put(idOf(added), { json: { platform_kubernetes_attributes: null } }), { project: null })
})

describe("DELETE /admin/clusters/:cluster_id", () => {
  it.each<[string, (createdAt: Date) => string, number]>([
    ["before the cluster was made", () => "Mon, 01 Jan 2024 00:00:00 GMT", 412],
    ["that is the last whole second before", (at) => new Date(Math.floor((at.getTime() - 1) / 1000) * 1000).toUTCString(), 412],
    ["in the future", () => "Fri, 01 Jan 2100 00:00:00 GMT", 204],
    ["that is none", () => "yesterday-ish", 204]
  ])("If-Unmodified-Since: a time %s", async (_, since, status) => {
    const added = await add({ json: complete })
    const headers = { "if-unmodified-since": since(new Date(String(field(added.body, "created_at")))) }
    const answer = await remove(idOf(added), { headers })
    const body = status === 412 ? { message: "412 Precondition Failed" } : undefined
    expect([answer.status, answer.body]).toEqual([status, body])
    expect((await read(idOf(added))).status).toBe(status === 412 ? 200 : 404)
  })

  it("happens once", async () => {
    const id = idOf(await add({ json: complete }))
    const removed = await remove(id)
    expect([removed.status, removed.body]).toEqual([204, undefined])
    for (const [method, sent] of [
      ["DELETE", {}],
      ["GET", {}],
      ["PUT", { json: { name: "x" } }]
    ] as const) {
      const { status, body } = await service.request(method, `/admin/clusters/${id}`, sent)
      expect([method, status, body]).toEqual([method, 404, notFound])
    }
  })
})

describe("GET /admin/clusters", () => {
  const headerNames = ["x-per-page", "x-page", "x-next-page", "x-prev-page", "x-total", "x-total-pages"]
  const list = async (query: Readonly<Record<string, string>>) => {
    const { status, body, headers } = await service.request("GET", "/admin/clusters", { query })
    return { status, body, headers: headerNames.map((name) => headers.get(name)), link: headers.get("link") }
  }

  it("is empty at first, with all headers", async () => {
    const only = (relation: string) => `<https://forge.example.com/api/v4/admin/clusters?page=1&per_page=20>; rel="${relation}"`
    expect(await list({})).toEqual({
      status: 200,
      body: [],
      headers: ["20", "1", "", "", "0", "1"],
      link: `${only("first")}, ${only("last")}`
    })
  })

  it("has all clusters by id, disabled ones too, page by page", async () => {
    const added: Array<Received> = []
    for (const scope of ["c", "a", "b"]) {
      added.push(await add({ json: { ...complete, environment_scope: scope, enabled: scope !== "a" } }))
    }
    const bodies = added.map(({ body }) => body)
    expect(await list({})).toMatchObject({ status: 200, body: bodies, headers: ["20", "1", "", "", "3", "1"] })
    expectExactly((await list({})).body, bodies)
    const second = await list({ per_page: "1", page: "2" })
    expect(second).toMatchObject({ body: [bodies[1]], headers: ["1", "2", "3", "1", "3", "3"] })
    expect(await list({ page: "9" })).toMatchObject({ body: [], headers: ["20", "9", "", "", "3", "1"] })
  })
})
