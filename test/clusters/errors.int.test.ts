import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type Fields, requestForms } from "#test/support/requests/requestForms.ts"
import { notFound } from "#test/support/rows.ts"
import type { Received } from "#test/support/service.ts"
import { pem } from "./samples.ts"
import { complete, onPlatform, scopeTaken, useClusters } from "./useClusters.ts"

const { service, addScope, ...clusters } = useClusters()

const withTop = (fields: Fields): Fields => ({ ...complete, ...fields })

const answerOf = ({ status, body }: Received) => [status, body]
const isMissing = (...fields: ReadonlyArray<string>) => fields.map((field) => `${field} is missing`)
const attributes = "platform_kubernetes_attributes"
const [apiUrl, token] = [`${attributes}[api_url]`, `${attributes}[token]`]

/** Section 4, parameter errors. */
const parameterRows: ReadonlyArray<readonly [given: string, fields: Fields, texts: ReadonlyArray<string>]> = [
  ["no name", { [attributes]: { api_url: "https://k8s.example.com", token: "t" } }, isMissing("name")],
  ["nothing", {}, [...isMissing("name", attributes, apiUrl), `${apiUrl} is empty`, ...isMissing(token)]],
  ["no api_url", { name: "a", [attributes]: { token: "t" } }, [...isMissing(apiUrl), `${apiUrl} is empty`]],
  ["an empty api_url", onPlatform({ api_url: "" }), [`${apiUrl} is empty`]],
  ["a blank api_url", onPlatform({ api_url: " " }), [`${apiUrl} is empty`]],
  ["no token", { name: "a", [attributes]: { api_url: "https://k8s.example.com" } }, isMissing(token)],
  [
    "an unknown authorization_type",
    onPlatform({ authorization_type: "RBAC" }),
    [`${attributes}[authorization_type] does not have a valid value`]
  ],
  [
    "an empty authorization_type",
    onPlatform({ authorization_type: "" }),
    [`${attributes}[authorization_type] does not have a valid value`]
  ],
  [
    "a text for the platform",
    { name: "a", [attributes]: "x" },
    [`${attributes} is invalid`, `${apiUrl} is missing`, `${apiUrl} is invalid`, `${token} is missing`, `${token} is invalid`]
  ],
  ["enabled that is no boolean", withTop({ enabled: "maybe" }), ["enabled is invalid"]],
  ["managed that is no boolean", withTop({ managed: "2" }), ["managed is invalid"]],
  [
    "namespace_per_environment that is no boolean",
    withTop({ namespace_per_environment: "tRUE" }),
    ["namespace_per_environment is invalid"]
  ],
  ["management_project_id that is no integer", withTop({ management_project_id: "x" }), ["management_project_id is invalid"]],
  ["management_project_id with a fraction", withTop({ management_project_id: "1.5" }), ["management_project_id is invalid"]],
  ["a hash for the name", withTop({ name: { a: "b" } }), ["name is invalid"]],
  ["a hash for the token", onPlatform({ token: { a: "b" } }), [`${token} is invalid`]],
  [
    "several at once, in the order of the table",
    { managed: "x", enabled: "x", [attributes]: { api_url: "", authorization_type: "x" } },
    [
      "name is missing",
      "enabled is invalid",
      "managed is invalid",
      `${apiUrl} is empty`,
      `${token} is missing`,
      `${attributes}[authorization_type] does not have a valid value`
    ]
  ]
]

const blank = "can't be blank"
const scopeCharacters = "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces"
const tooShort = "is too short (minimum is 1 character)"
const domainCharacters = "contains invalid characters (valid characters: [a-z0-9\\-])"
const namespaceCharacters =
  "can contain only lowercase letters, digits, and '-'. Must start with a letter, and cannot end with '-'"
const scheme = "is blocked: Only allowed schemes are http, https"
const notPem = "must be a valid PEM certificate"
const noProject = "Project does not exist or you don't have permission to perform this action"

type RecordRow = readonly [given: string, top: Fields, platform: Fields, message: Readonly<Record<string, ReadonlyArray<string>>>]

/** Section 4, model errors, of what both an addition and a change may carry. */
const recordRows: ReadonlyArray<RecordRow> = [
  ["an empty name", { name: "" }, {}, { name: [" has to be present"] }],
  ["a blank name", { name: " \t" }, {}, { name: [" has to be present"] }],
  ["an empty scope", { environment_scope: "" }, {}, { environment_scope: [blank, scopeCharacters, tooShort] }],
  ["a blank scope", { environment_scope: "  " }, {}, { environment_scope: [blank, scopeCharacters, tooShort] }],
  ["a scope of other characters", { environment_scope: "a#b" }, {}, { environment_scope: [scopeCharacters] }],
  [
    "a scope that is too long",
    { environment_scope: "a".repeat(256) },
    {},
    { environment_scope: ["is too long (maximum is 255 characters)"] }
  ],
  ["a scope that is taken", { environment_scope: "taken" }, {}, scopeTaken.message],
  ["a scope that is taken, but for blanks around", { environment_scope: " taken " }, {}, scopeTaken.message],
  ["a domain of other characters", { domain: "a_b.example.com" }, {}, { domain: [domainCharacters] }],
  [
    "a domain that is too long",
    { domain: `${"a.".repeat(128)}example` },
    {},
    { domain: ["must be between 1 and 255 characters long"] }
  ],
  ["a label that is too long", { domain: "a".repeat(64) }, {}, { domain: ["must be between 1 and 63 characters long"] }],
  ["a label that begins with a hyphen", { domain: "-a.com" }, {}, { domain: ["begins or ends with hyphen"] }],
  ["a label that ends with a hyphen", { domain: "a-.com" }, {}, { domain: ["begins or ends with hyphen"] }],
  [
    "a domain with two dots in a row",
    { domain: "a..com" },
    {},
    { domain: ["must be between 1 and 63 characters long", domainCharacters, "must not contain consecutive dots"] }
  ],
  ["a domain that ends with a dot", { domain: "example.com." }, {}, { domain: ["must not end with a dot"] }],
  ["another scheme", {}, { api_url: "ftp://k8s.example.com" }, { "platform_kubernetes.api_url": [scheme] }],
  ["a host without a scheme", {}, { api_url: "k8s.example.com" }, { "platform_kubernetes.api_url": [scheme] }],
  ["a script", {}, { api_url: "javascript:alert(1)" }, { "platform_kubernetes.api_url": [scheme] }],
  ["a URL without a host", {}, { api_url: "https://" }, { "platform_kubernetes.api_url": ["is blocked: URI is invalid"] }],
  ["no certificate", {}, { ca_cert: "x" }, { "platform_kubernetes.ca_cert": [notPem] }],
  ["a certificate that does not end", {}, { ca_cert: pem.slice(0, -5) }, { "platform_kubernetes.ca_cert": [notPem] }],
  ["a namespace of other characters", {}, { namespace: "a_b" }, { "platform_kubernetes.namespace": [namespaceCharacters] }],
  ["a namespace that ends with a hyphen", {}, { namespace: "a-" }, { "platform_kubernetes.namespace": [namespaceCharacters] }],
  [
    "a namespace that is too long",
    {},
    { namespace: "a".repeat(64) },
    { "platform_kubernetes.namespace": ["is too long (maximum is 63 characters)"] }
  ],
  ["the reserved namespace", {}, { namespace: "gitlab-managed-apps" }, { "platform_kubernetes.namespace": ["is reserved"] }],
  [
    "an unknown project, and nothing else of what is wrong",
    { name: "", management_project_id: 5 },
    {},
    { management_project_id: [noProject] }
  ],
  [
    "several at once",
    { name: "", domain: "a_b", environment_scope: "taken" },
    { api_url: "x", ca_cert: "x", namespace: "a_b" },
    {
      name: [" has to be present"],
      domain: [domainCharacters],
      ...scopeTaken.message,
      "platform_kubernetes.api_url": [scheme],
      "platform_kubernetes.ca_cert": [notPem],
      "platform_kubernetes.namespace": [namespaceCharacters]
    }
  ]
]

beforeAll(() => addScope("taken"))

/** All clusters, to see that a refusal changed none. */
const all = async () => (await service.request("GET", "/admin/clusters")).body

describe.each(requestForms)("POST /admin/clusters/add as %s", (_, sent) => {
  const add = (fields: Fields) => clusters.add(sent(fields))

  let before: unknown
  beforeEach(async () => {
    before = await all()
  })

  it.each(parameterRows)("refuses %s", async (_, fields, texts) => {
    expect(answerOf(await add(fields))).toEqual([400, { error: texts.join(", ") }])
    expect(await all()).toEqual(before)
  })

  it.each([
    ...recordRows,
    ["an empty token", {}, { token: "" }, { "platform_kubernetes.token": [blank] }],
    ["a blank token", {}, { token: "\n" }, { "platform_kubernetes.token": [blank] }]
  ] satisfies ReadonlyArray<RecordRow>)("refuses %s", async (_, top, fields, message) => {
    expect(answerOf(await add({ ...onPlatform(fields), ...top }))).toEqual([400, { message }])
    expect(await all()).toEqual(before)
  })
})

describe.each(requestForms)("PUT /admin/clusters/:cluster_id as %s", (form, sent) => {
  let id = 0
  beforeAll(async () => {
    id = await addScope(form)
  })

  let before: unknown
  beforeEach(async () => {
    before = await all()
  })

  const put = (path: number | string, fields: Fields) => clusters.put(path, sent(fields))

  it.each<[string, string | undefined, Fields, number, unknown]>([
    ["an id that is no integer", "abc", {}, 400, { error: "cluster_id is invalid" }],
    ["that and a wrong switch", "abc", { enabled: "x" }, 400, { error: "cluster_id is invalid, enabled is invalid" }],
    ["a wrong switch before an unknown id", "999999", { enabled: "x" }, 400, { error: "enabled is invalid" }],
    ["an unknown id before a blank name", "999999", { name: "" }, 404, notFound],
    ["an unknown id before an unknown project", "999999", { management_project_id: 5 }, 404, notFound],
    ["a wrong project id", undefined, { management_project_id: "x" }, 400, { error: "management_project_id is invalid" }],
    ["a text for the platform", undefined, { [attributes]: "x" }, 400, { error: `${attributes} is invalid` }],
    [
      "an empty api_url",
      undefined,
      { [attributes]: { api_url: "" } },
      400,
      {
        message: { "platform_kubernetes.api_url": ["must be a valid URL", blank] }
      }
    ]
  ])("refuses %s", async (_, path, fields, status, body) => {
    expect(answerOf(await put(path ?? id, fields))).toEqual([status, body])
    expect(await all()).toEqual(before)
  })

  it.each(recordRows)("refuses %s", async (_, top, fields, message) => {
    expect(answerOf(await put(id, { ...top, [attributes]: fields }))).toEqual([400, { message }])
    expect(await all()).toEqual(before)
  })
})
