import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { invalidParameters } from "#src/http/answer/errors.ts"
import { compileParameters, decodeParameters } from "#src/http/parameters/decodeParameters.ts"
import type { ParameterGroup, ParameterTable } from "#src/http/parameters/parameters.ts"

/** `POST /admin/clusters/add` */
const addCluster = {
  name: { kind: "string", required: true },
  enabled: { kind: "boolean", default: true },
  environment_scope: { kind: "string", default: "*" },
  management_project_id: { kind: "integer" },
  domain: { kind: "string" },
  platform_kubernetes_attributes: {
    kind: "hash",
    required: true,
    fields: {
      api_url: { kind: "string", required: true, allowBlank: false },
      token: { kind: "string", required: true },
      ca_cert: { kind: "string" },
      authorization_type: { kind: "string", values: ["unknown_authorization", "rbac", "abac"], default: "rbac" }
    }
  }
} as const satisfies ParameterTable

const kubernetes = { api_url: "https://k8s.example.com", token: "t" }
const hash = "platform_kubernetes_attributes"

/** `POST /projects/:id/repository/commits` */
const commit = {
  branch: { kind: "string", required: true, allowBlank: false },
  actions: {
    kind: "hashList",
    required: true,
    fields: {
      action: { kind: "string", required: true, values: ["create", "delete"] },
      file_path: { kind: "string", required: true },
      execute_filemode: { kind: "boolean" }
    }
  }
} as const satisfies ParameterTable
const created = { action: "create", file_path: "a" }

/** `POST /users` */
const addUser = {
  email: { kind: "string", required: true },
  password: { kind: "string" },
  reset_password: { kind: "boolean" },
  force_random_password: { kind: "boolean" },
  name: { kind: "string", required: true },
  username: { kind: "string", required: true }
} as const satisfies ParameterTable
const passwords: ParameterGroup = {
  rule: "atLeastOneOf",
  names: ["password", "reset_password", "force_random_password"],
  before: "name"
}

const one = (parameter: ParameterTable[string]): ParameterTable => ({ x: parameter })
const text = { kind: "string" } as const
const state = { kind: "string", values: ["opened", "closed"] } as const
const over = (rule: ParameterGroup["rule"]): ReadonlyArray<ParameterGroup> => [{ rule, names: ["a", "b"] }]
const ab: ParameterTable = { a: { kind: "string" }, b: { kind: "string" } }

interface Row {
  readonly rule: string
  readonly table: ParameterTable
  readonly groups?: ReadonlyArray<ParameterGroup>
  readonly raw: Readonly<Record<string, unknown>>
  /** The text of the error body, or the decoded parameters. */
  readonly gives: string | Readonly<Record<string, unknown>>
}

const rules: ReadonlyArray<Row> = [
  { rule: "objects", table: commit, raw: {}, gives: "branch is missing, branch is empty, actions is missing" },
  {
    rule: "objects",
    table: commit,
    raw: { branch: "b", actions: [{ ...created, execute_filemode: "yes", more: 1 }, created] },
    gives: { branch: "b", actions: [{ ...created, execute_filemode: true }, created] }
  },
  { rule: "objects", table: commit, raw: { branch: "b", actions: { 0: created } }, gives: { branch: "b", actions: [created] } },
  { rule: "objects", table: commit, raw: { branch: "b", actions: [] }, gives: { branch: "b", actions: [] } },
  { rule: "objects", table: commit, raw: { branch: "b", actions: "" }, gives: { branch: "b", actions: [] } },
  {
    rule: "objects",
    table: commit,
    raw: { branch: "b", actions: [created, { action: "burn" }] },
    gives: "actions[1][action] does not have a valid value, actions[1][file_path] is missing"
  },
  { rule: "objects", table: commit, raw: { branch: "b", actions: ["create"] }, gives: "actions[0] is invalid" },
  { rule: "objects", table: commit, raw: { branch: "b", actions: { first: created } }, gives: "actions is invalid" },
  { rule: "required absent", table: one({ kind: "string", required: true }), raw: {}, gives: "x is missing" },
  { rule: "required blank", table: one({ kind: "string", required: true }), raw: { x: "" }, gives: { x: "" } },
  { rule: "required null", table: one({ kind: "string", required: true }), raw: { x: null }, gives: { x: null } },
  {
    rule: "required and non-blank absent",
    table: one({ kind: "string", required: true, allowBlank: false }),
    raw: {},
    gives: "x is missing, x is empty"
  },
  {
    rule: "branches: nothing given",
    table: {
      branch: { kind: "string", required: true, allowBlank: false },
      ref: { kind: "string", required: true, allowBlank: false }
    },
    raw: {},
    gives: "branch is missing, branch is empty, ref is missing, ref is empty"
  },
  {
    rule: "blank refused: absent, which is told alone",
    table: one({ kind: "string", required: true, allowBlank: false, missingIsEmpty: false }),
    raw: {},
    gives: "x is missing"
  },
  { rule: "blank refused", table: one({ kind: "string", allowBlank: false }), raw: { x: " " }, gives: "x is empty" },
  { rule: "blank refused: null", table: one({ kind: "string", allowBlank: false }), raw: { x: null }, gives: "x is empty" },
  { rule: "blank refused: enumerated", table: one({ ...state, allowBlank: false }), raw: { x: "" }, gives: "x is empty" },
  {
    rule: "blank refused: number",
    table: one({ kind: "integer", required: true, allowBlank: false }),
    raw: { x: "" },
    gives: "x is empty"
  },
  {
    rule: "blank refused: absent number",
    table: one({ kind: "integer", required: true, allowBlank: false }),
    raw: {},
    gives: "x is missing, x is empty"
  },
  {
    rule: "blank refused: no number",
    table: one({ kind: "integer", allowBlank: false }),
    raw: { x: "a" },
    gives: "x is invalid"
  },
  { rule: "blank refused: absent optional", table: one({ kind: "string", allowBlank: false }), raw: {}, gives: {} },
  {
    rule: "required and enumerated absent",
    table: one({ ...state, required: true }),
    raw: {},
    gives: "x is missing, x does not have a valid value"
  },
  {
    rule: "required and enumerated absent in a hash",
    table: { o: { kind: "hash", required: true, fields: { x: { ...state, required: true } } } },
    raw: { o: {} },
    gives: "o[x] is missing"
  },
  {
    rule: "required and enumerated null",
    table: one({ ...state, required: true }),
    raw: { x: null },
    gives: "x does not have a valid value"
  },
  { rule: "enumerated", table: one(state), raw: { x: "open" }, gives: "x does not have a valid value" },
  { rule: "enumerated blank", table: one(state), raw: { x: "" }, gives: "x does not have a valid value" },
  { rule: "enumerated null", table: one(state), raw: { x: null }, gives: { x: null } },
  { rule: "enumerated given", table: one(state), raw: { x: "opened" }, gives: { x: "opened" } },
  { rule: "enumerated, blank allowed", table: one({ ...state, allowBlank: true }), raw: { x: "" }, gives: { x: null } },
  {
    rule: "enumerated, blank allowed, default",
    table: one({ ...state, allowBlank: true, default: "closed" }),
    raw: { x: "" },
    gives: { x: "closed" }
  },
  {
    rule: "enumerated, of the wrong type",
    table: one({ kind: "integer", values: [0, 10] }),
    raw: { x: "ten" },
    gives: "x is invalid, x does not have a valid value"
  },
  { rule: "enumerated integer", table: one({ kind: "integer", values: [0, 10] }), raw: { x: "10" }, gives: { x: 10 } },
  {
    rule: "enumerated list",
    table: one({ kind: "stringList", values: ["api", "sudo"] }),
    raw: { x: "api, sudo" },
    gives: { x: ["api", "sudo"] }
  },
  ...["", " ", ["api", ""]].map((x) => ({
    rule: "enumerated list, one blank",
    table: one({ kind: "stringList", values: ["api", "sudo"] }),
    raw: { x },
    gives: "x does not have a valid value"
  })),
  {
    rule: "enumerated list, empty",
    table: one({ kind: "stringList", values: ["api", "sudo"] }),
    raw: { x: [] },
    gives: { x: [] }
  },
  {
    rule: "enumerated list, one wrong",
    table: one({ kind: "stringList", values: ["api", "sudo"] }),
    raw: { x: ["api", "root"] },
    gives: "x does not have a valid value"
  },
  { rule: "wrong type", table: one({ kind: "boolean" }), raw: { x: "maybe" }, gives: "x is invalid" },
  { rule: "forbidden", table: one({ kind: "integer", forbidden: [0] }), raw: { x: "0" }, gives: "x has a value not allowed" },
  { rule: "pattern", table: one({ kind: "string", pattern: /^\d+$/ }), raw: { x: "a" }, gives: "x is invalid" },
  { rule: "pattern kept", table: one({ kind: "string", pattern: /^\d+$/ }), raw: { x: 12 }, gives: { x: "12" } },
  { rule: "pattern and null", table: one({ kind: "string", pattern: /^\d+$/ }), raw: { x: null }, gives: { x: null } },
  { rule: "exclusive", table: ab, groups: over("mutuallyExclusive"), raw: { a: 1, b: 2 }, gives: "a, b are mutually exclusive" },
  { rule: "exclusive, one", table: ab, groups: over("mutuallyExclusive"), raw: { b: 2 }, gives: { b: "2" } },
  {
    rule: "at least one",
    table: ab,
    groups: over("atLeastOneOf"),
    raw: {},
    gives: "a, b are missing, at least one parameter must be provided"
  },
  { rule: "at least one, null", table: ab, groups: over("atLeastOneOf"), raw: { a: null }, gives: { a: null } },
  {
    rule: "exactly one, none",
    table: ab,
    groups: over("exactlyOneOf"),
    raw: {},
    gives: "a, b are missing, exactly one parameter must be provided"
  },
  {
    rule: "exactly one, two",
    table: ab,
    groups: over("exactlyOneOf"),
    raw: { a: 1, b: 2 },
    gives: "a, b are mutually exclusive"
  },
  { rule: "exactly one", table: ab, groups: over("exactlyOneOf"), raw: { a: "" }, gives: { a: "" } },
  {
    rule: "all or none, one",
    table: ab,
    groups: over("allOrNoneOf"),
    raw: { b: 1 },
    gives: "a, b provide all or none of parameters"
  },
  { rule: "all or none, none", table: ab, groups: over("allOrNoneOf"), raw: {}, gives: {} },
  { rule: "all or none, all", table: ab, groups: over("allOrNoneOf"), raw: { a: 1, b: 2 }, gives: { a: "1", b: "2" } },
  {
    rule: "a group in the middle",
    table: addUser,
    groups: [passwords],
    raw: {},
    gives:
      "email is missing, password, reset_password, force_random_password are missing, at least one parameter must be provided, name is missing, username is missing"
  },
  { rule: "equal texts are told once", table: one({ kind: "string", pattern: /a/ }), raw: { x: "\0" }, gives: "x is invalid" },
  { rule: "unknown names", table: one({ kind: "string" }), raw: { y: [{}] }, gives: {} }
]

const values: ReadonlyArray<Row> = [
  { rule: "default of absent", table: one({ kind: "integer", default: 3 }), raw: {}, gives: { x: 3 } },
  { rule: "default of blank", table: one({ kind: "integer", default: 3 }), raw: { x: "" }, gives: { x: 3 } },
  { rule: "default of null", table: one({ kind: "boolean", default: false }), raw: { x: null }, gives: { x: false } },
  { rule: "a blank text is given", table: one({ kind: "string", default: "*" }), raw: { x: "" }, gives: { x: "" } },
  { rule: "blank integer", table: one({ kind: "integer" }), raw: { x: "" }, gives: { x: null } },
  { rule: "null list", table: one({ kind: "integerList" }), raw: { x: null }, gives: { x: null } },
  { rule: "required null list", table: one({ kind: "stringList", required: true }), raw: { x: null }, gives: { x: [] } },
  {
    rule: "list that is not to be empty",
    table: one({ kind: "stringList", allowBlank: false }),
    raw: { x: "" },
    gives: "x is empty"
  },
  { rule: "required empty list", table: one({ kind: "stringList", required: true }), raw: { x: [] }, gives: { x: [] } },
  { rule: "time", table: one({ kind: "dateTime" }), raw: { x: "1970-01-01T00:00:01Z" }, gives: { x: 1000 } },
  { rule: "undefined is absent", table: one({ kind: "string", required: true }), raw: { x: undefined }, gives: "x is missing" },
  {
    rule: "inherited names are absent",
    table: { constructor: text, toString: { ...text, required: true } },
    raw: {},
    gives: "toString is missing"
  },
  {
    rule: "`__proto__` from JSON",
    table: { o: { kind: "hash", fields: { admin: { kind: "boolean" } } }, admin: { kind: "boolean" } },
    raw: JSON.parse('{"__proto__":{"admin":true},"o":{"__proto__":{"admin":true}}}'),
    gives: { o: {} }
  }
]

const missing = (field: string) => `${hash}[${field}] is missing`

const clusters: ReadonlyArray<Row> = [
  { rule: "name missing", table: addCluster, raw: { [hash]: kubernetes }, gives: "name is missing" },
  {
    rule: "hash and name missing",
    table: addCluster,
    raw: {},
    gives: `name is missing, ${hash} is missing, ${missing("api_url")}, ${hash}[api_url] is empty, ${missing("token")}`
  },
  {
    rule: "api_url missing",
    table: addCluster,
    raw: { name: "c", [hash]: { token: "t" } },
    gives: `${missing("api_url")}, ${hash}[api_url] is empty`
  },
  {
    rule: "api_url blank",
    table: addCluster,
    raw: { name: "c", [hash]: { token: "t", api_url: "" } },
    gives: `${hash}[api_url] is empty`
  },
  {
    rule: "token missing",
    table: addCluster,
    raw: { name: "c", [hash]: { api_url: "u" } },
    gives: missing("token")
  },
  {
    rule: "bad authorization_type",
    table: addCluster,
    raw: { name: "c", [hash]: { ...kubernetes, authorization_type: "none" } },
    gives: `${hash}[authorization_type] does not have a valid value`
  },
  {
    rule: "hash sent as text",
    table: addCluster,
    raw: { name: "c", [hash]: "text" },
    gives: `${hash} is invalid, ${missing("api_url")}, ${hash}[api_url] is invalid, ${missing("token")}, ${hash}[token] is invalid`
  },
  { rule: "hash sent as array", table: addCluster, raw: { name: "c", [hash]: [kubernetes] }, gives: `${hash} is invalid` },
  {
    rule: "hash sent as null",
    table: addCluster,
    raw: { name: "c", [hash]: null },
    gives: `${missing("api_url")}, ${hash}[api_url] is empty, ${missing("token")}`
  },
  {
    rule: "enabled is no boolean",
    table: addCluster,
    raw: { name: "c", enabled: "perhaps", [hash]: kubernetes },
    gives: "enabled is invalid"
  },
  {
    rule: "management_project_id is no integer",
    table: addCluster,
    raw: { name: "c", management_project_id: "x", [hash]: kubernetes },
    gives: "management_project_id is invalid"
  },
  {
    rule: "cluster_id is no integer",
    table: { cluster_id: { kind: "integer", required: true } },
    raw: { cluster_id: "add" },
    gives: "cluster_id is invalid"
  },
  {
    rule: "all well",
    table: addCluster,
    raw: { name: "c", domain: null, ignored: 1, [hash]: { ...kubernetes, ca_cert: null, ignored: 1 } },
    gives: {
      name: "c",
      enabled: true,
      environment_scope: "*",
      domain: null,
      [hash]: { ...kubernetes, ca_cert: null, authorization_type: "rbac" }
    }
  },
  {
    rule: "optional hash",
    table: { [hash]: { ...addCluster[hash], required: false } },
    raw: {},
    gives: {}
  },
  {
    rule: "optional hash, null",
    table: { [hash]: { ...addCluster[hash], required: false } },
    raw: { [hash]: null },
    gives: { [hash]: null }
  },
  {
    rule: "optional hash, blank",
    table: { [hash]: { ...addCluster[hash], required: false } },
    raw: { [hash]: "" },
    gives: `${hash} is invalid`
  }
]

describe.each([
  { name: "rules", rows: rules },
  { name: "values", rows: values },
  { name: "POST /admin/clusters/add", rows: clusters }
])("$name", ({ rows }) => {
  test.each(rows)("$rule", ({ table, groups = [], raw, gives }) => {
    const outcome = Result.match(decodeParameters(table, groups, raw), {
      onSuccess: (decoded) => ({ ...decoded }),
      onFailure: (texts) => invalidParameters(texts).body
    })
    expect(outcome).toStrictEqual(typeof gives === "string" ? { error: gives } : gives)
  })
})

test("the decoded type is that of the table", () => {
  const decoded = Result.getOrThrow(decodeParameters(addCluster, [], { name: "c", [hash]: kubernetes }))
  const scope: string = decoded.environment_scope
  const url: string = decoded.platform_kubernetes_attributes.api_url
  const project: number | null | undefined = decoded.management_project_id
  expect([scope, url, project]).toStrictEqual(["*", "https://k8s.example.com", undefined])
})

describe("laws", () => {
  const decode = compileParameters(addCluster, [passwords])
  const fields = fc.constantFrom(...Object.keys(addCluster), "password", "__proto__", "constructor")
  const attributes = fc.record({ api_url: fc.jsonValue(), token: fc.jsonValue(), authorization_type: fc.jsonValue() })
  const anything = fc.dictionary(fields, fc.oneof(fc.jsonValue(), fc.anything(), attributes))

  test("any object is decoded or refused with texts", () => {
    fc.assert(
      fc.property(anything, (raw) => {
        const result = decode(raw)
        return Result.isSuccess(result) || result.failure.length > 0
      })
    )
  })

  test("decoding what was decoded changes nothing", () => {
    const lenient = compileParameters({
      ...addCluster,
      name: { kind: "string" },
      [hash]: { ...addCluster[hash], required: false }
    })
    fc.assert(
      fc.property(anything, (raw) => {
        const once = lenient(raw)
        if (Result.isSuccess(once)) expect(lenient(once.success)).toStrictEqual(once)
      })
    )
  })
})
