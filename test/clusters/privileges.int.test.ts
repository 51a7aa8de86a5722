import { describe, expect, it } from "vitest"
import {
  type Answer,
  blocked,
  type CallerName,
  callers,
  forbidden,
  scopeTooSmall,
  unauthorized,
  useCallers
} from "#test/support/people/callers.ts"

const askAs = useCallers()

const tooSmall = scopeTooSmall("api read_api")
const notFound: Answer = [404, { message: "404 Not found" }]
const refused = (error: string): Answer => [400, { error }]

const platformIsMissing = [
  "platform_kubernetes_attributes is missing",
  "platform_kubernetes_attributes[api_url] is missing",
  "platform_kubernetes_attributes[api_url] is empty",
  "platform_kubernetes_attributes[token] is missing"
].join(", ")

/** What whoever may do it is told. Each request is wrong as well, to show that the gate comes first; none changes anything. */
const requests: ReadonlyArray<readonly [method: string, path: string, query: Readonly<Record<string, string>>, Answer]> = [
  ["GET", "/admin/clusters", {}, [200, []]],
  ["GET", "/admin/clusters", { per_page: "0" }, refused("per_page has a value not allowed")],
  ["GET", "/admin/clusters/999999", {}, notFound],
  ["GET", "/admin/clusters/abc", {}, refused("cluster_id is invalid")],
  ["POST", "/admin/clusters/add", { name: "a" }, refused(platformIsMissing)],
  ["PUT", "/admin/clusters/999999", {}, notFound],
  ["PUT", "/admin/clusters/999999", { managed: "maybe" }, refused("managed is invalid")],
  ["DELETE", "/admin/clusters/999999", {}, notFound],
  ["DELETE", "/admin/clusters/abc", {}, refused("cluster_id is invalid")]
]

const expected = (caller: CallerName, method: string, answer: Answer): Answer => {
  switch (caller) {
    case "anonymous":
    case "garbage token":
      return unauthorized
    case "ordinary user":
      return forbidden
    case "blocked user":
      return blocked
    case "administrator, read_user":
      return tooSmall
    case "administrator, read_api":
      return method === "GET" ? answer : tooSmall
    case "administrator, api":
      return answer
  }
}

describe.each(callers)("%s", (caller) => {
  it.each(requests)("%s %s %j", async (method, path, query, answer) => {
    expect(await askAs(caller, method, path, { query })).toEqual(expected(caller, method, answer))
  })

  it("POST /admin/clusters does not exist", async () => {
    expect(await askAs(caller, "POST", "/admin/clusters", { json: {} })).toEqual([404, { error: "404 Not Found" }])
  })
})
