import { beforeAll, describe, expect, it } from "vitest"
import { expectExactly } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { type Row, rowChecker, unauthorized } from "#test/support/rows.ts"
import { rootToken, useService } from "#test/support/service.ts"

const service = useService()
const check = rowChecker(service)

const revision: unknown = expect.stringMatching(/^[0-9a-f]{11}$/)
const version = { version: "17.4.0", revision }
const kas = { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null }
const metadata = { ...version, kas, enterprise: false }

let ada = 0
beforeAll(async () => {
  ada = await createUser(service, "ada")
})

describe.each([
  ["/version", version],
  ["/metadata", metadata]
])("GET %s", (path, body) => {
  const tooSmall = {
    error: "insufficient_scope",
    error_description: "The request requires higher privileges than provided by the access token.",
    scope: "read_user api read_api"
  }
  const rows: ReadonlyArray<Row> = [
    { given: "administrators", request: () => ["GET", path], status: 200, body },
    { given: "administrators as somebody else", request: () => ["GET", path, { headers: { sudo: "ada" } }], status: 200, body },
    {
      given: "requests with parameters, which it has none of",
      request: () => ["GET", path, { query: { page: "x" } }],
      status: 200,
      body
    },
    { given: "nobody", request: () => ["GET", path, { token: null }], status: 401, body: unauthorized },
    { given: "an unknown token", request: () => ["GET", path, { token: "unknown" }], status: 401, body: unauthorized },
    { given: "writes", request: () => ["POST", path], status: 404, body: { error: "404 Not Found" } }
  ]
  it.each(rows)("answers $given", check)

  it.each(["api", "read_api", "read_user"])("is open to the scope %s", async (scope) => {
    const { text: token } = await issueTokenFor(service, ada, { scopes: [scope] })
    await check({ given: scope, request: () => ["GET", path, { token }], status: 200, body })
  })

  it.each(["read_repository", "write_repository", "sudo", "read_registry"])("is closed to the scope %s", async (scope) => {
    const { text: token } = await issueTokenFor(service, ada, { scopes: [scope] })
    await check({ given: scope, request: () => ["GET", path, { token }], status: 403, body: tooSmall })
  })

  it("is the same for all, so that a client need not read it twice", async () => {
    const { text: token } = await issueTokenFor(service, ada)
    const [one, other] = [await service.request("GET", path, { token: rootToken }), await service.request("GET", path, { token })]
    expectExactly(one.body, other.body)
    const etag = one.headers.get("etag") ?? ""
    const again = await service.request("GET", path, { token, headers: { "if-none-match": etag } })
    expect([again.status, again.body]).toEqual([304, undefined])
  })
})
