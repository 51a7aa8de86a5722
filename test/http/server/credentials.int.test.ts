import { beforeAll, describe, expect, it } from "vitest"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { type Received, rootToken, type Sent, useService } from "#test/support/service.ts"

const service = useService()

const yesterday = "2020-01-01"
const unauthorized = { message: "401 Unauthorized" }
const noToken: Sent = { token: null }
const withHeaders = (headers: Readonly<Record<string, string>>): Sent => ({ token: null, headers })

/** Texts of tokens, by what is special about them; made before the tests. */
const tokens = { ann: "", expired: "", revoked: "", both: "", readUser: "", readApi: "", readRepository: "", rootWithoutSudo: "" }
let ann = 0

const revokedToken = async (expiresAt: string | null) => {
  const { id, text } = await issueTokenFor(service, ann, { expiresAt })
  await service.request("DELETE", `/personal_access_tokens/${id}`)
  return text
}

beforeAll(async () => {
  ann = await createUser(service, "ann")
  const issued = async (scopes: ReadonlyArray<string>, userId = ann) => (await issueTokenFor(service, userId, { scopes })).text
  tokens.ann = await issued(["api"])
  tokens.expired = (await issueTokenFor(service, ann, { expiresAt: yesterday })).text
  tokens.revoked = await revokedToken(null)
  tokens.both = await revokedToken(yesterday)
  tokens.readUser = await issued(["read_user"])
  tokens.readApi = await issued(["read_api"])
  tokens.readRepository = await issued(["read_repository"])
  tokens.rootWithoutSudo = await issued(["api"], 1)
})

const usernameOf = ({ body }: Received): unknown =>
  typeof body === "object" && body !== null && "username" in body ? body.username : body

const whoIs = async (sent: Sent) => {
  const received = await service.request("GET", "/user", sent)
  return [received.status, usernameOf(received)]
}

describe("a token is taken from", () => {
  const ways: ReadonlyArray<readonly [string, () => Sent]> = [
    ["the header PRIVATE-TOKEN", () => withHeaders({ "PRIVATE-TOKEN": tokens.ann })],
    ["that header in any letter case", () => withHeaders({ "Private-Token": tokens.ann })],
    ["Authorization: Bearer", () => withHeaders({ authorization: `Bearer ${tokens.ann}` })],
    ["a bearer in any letter case", () => withHeaders({ authorization: `bearer ${tokens.ann}` })],
    ["the parameter private_token", () => ({ token: null, query: { private_token: tokens.ann } })],
    ["the parameter access_token", () => ({ token: null, query: { access_token: tokens.ann } })]
  ]
  it.each(ways)("%s", async (_, sent) => {
    expect(await whoIs(sent())).toEqual([200, "ann"])
  })

  const bodies: ReadonlyArray<readonly [string, Sent]> = [
    ["JSON", { token: null, json: { private_token: rootToken } }],
    ["a form", { token: null, form: { private_token: rootToken } }],
    ["multipart", { token: null, multipart: { private_token: rootToken } }],
    ["JSON, as access_token", { token: null, json: { access_token: rootToken } }]
  ]
  it.each(bodies)("a body of %s", async (_, sent) => {
    const { body, status } = await service.request("POST", "/admin/clusters/add", sent)
    expect([status, body]).toEqual([400, { error: expect.stringMatching(/^name is missing/) }])
  })
})

describe("of several tokens", () => {
  it("the parameter beats the header, which beats the bearer", async () => {
    const authorization = `Bearer ${tokens.revoked}`
    expect(await whoIs({ query: { private_token: tokens.ann } })).toEqual([200, "ann"])
    expect(await whoIs({ token: tokens.ann, headers: { authorization } })).toEqual([200, "ann"])
    expect(await whoIs({ query: { private_token: "unknown" } })).toEqual([401, unauthorized])
  })

  it("a blank one counts as none", async () => {
    expect(await whoIs({ token: tokens.ann, query: { private_token: "" } })).toEqual([200, "ann"])
    expect(await whoIs(withHeaders({ "PRIVATE-TOKEN": " ", authorization: `Bearer ${tokens.ann}` }))).toEqual([200, "ann"])
  })

  it("the same header twice is a token that nobody has", async () => {
    expect(await whoIs({ token: `${tokens.ann}, ${tokens.ann}` })).toEqual([401, unauthorized])
  })

  it("a bearer and access_token exclude each other", async () => {
    const { body, status } = await service.request("GET", "/user", {
      token: null,
      headers: { authorization: `Bearer ${tokens.ann}` },
      query: { access_token: tokens.ann }
    })
    const error_description = "Both Authorization header and payload includes access token."
    expect([status, body]).toEqual([400, { error: "invalid_request", error_description }])
  })
})

/** Status, body, and the header that tells why. */
type Refusal = readonly [status: number, body: unknown, challenge: string | null]

const invalidToken = (error_description: string): Refusal => [
  401,
  { error: "invalid_token", error_description },
  `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${error_description}"`
]
const tooSmall = (scope: string): Refusal => {
  const error_description = "The request requires higher privileges than provided by the access token."
  return [403, { error: "insufficient_scope", error_description, scope }, null]
}
const expired = invalidToken("Token is expired. You can either do re-authorization or token refresh.")
const revoked = invalidToken("Token was revoked. You have to re-authorize from the user.")
const nobody: Refusal = [401, unauthorized, null]
const forbidden: Refusal = [403, { message: "403 Forbidden" }, null]

const refusalOf = async (method: string, path: string, sent: Sent): Promise<Refusal> => {
  const { body, headers, status } = await service.request(method, path, sent)
  return [status, body, headers.get("www-authenticate")]
}

describe("refused are", () => {
  const basic = "Basic cm9vdDp4"
  type Row = readonly [given: string, method: string, path: string, sent: () => Sent, refusal: Refusal]
  const rows: ReadonlyArray<Row> = [
    ["nobody, where a user is needed", "GET", "/user", () => noToken, nobody],
    ["nobody, where an administrator is needed", "GET", "/admin/clusters", () => noToken, nobody],
    ["Basic authentication", "GET", "/user", () => withHeaders({ authorization: basic }), nobody],
    ["a job token", "GET", "/user", () => withHeaders({ "JOB-TOKEN": "x" }), nobody],
    ["an unknown token", "GET", "/user", () => ({ token: "unknown" }), nobody],
    ["an unknown token in public", "GET", "/users?username=root", () => ({ token: "unknown" }), nobody],
    ["an unknown token before a parameter is looked at", "POST", "/users", () => ({ token: "unknown" }), nobody],
    ["an expired token", "GET", "/user", () => ({ token: tokens.expired }), expired],
    ["a revoked token", "GET", "/user", () => ({ token: tokens.revoked }), revoked],
    ["a token both expired and revoked", "GET", "/user", () => ({ token: tokens.both }), expired],
    ["a revoked token in public", "GET", "/users?username=root", () => ({ token: tokens.revoked }), revoked],
    ["read_api for a write", "POST", "/admin/clusters/add", () => ({ token: tokens.readApi }), tooSmall("api read_api")],
    ["read_user for a write", "POST", "/users", () => ({ token: tokens.readUser }), tooSmall("read_user api read_api")],
    ["read_user elsewhere", "GET", "/admin/clusters", () => ({ token: tokens.readUser }), tooSmall("api read_api")],
    ["read_repository", "GET", "/user", () => ({ token: tokens.readRepository }), tooSmall("read_user api read_api")],
    ["a user where an administrator is needed", "GET", "/admin/clusters", () => ({ token: tokens.ann }), forbidden],
    ["the user, before a parameter is looked at", "POST", "/admin/clusters/add", () => ({ token: tokens.ann }), forbidden]
  ]
  it.each(rows)("%s", async (_, method, path, sent, refusal) => {
    expect(await refusalOf(method, path, sent())).toEqual(refusal)
  })

  const unreadable: Sent = { headers: { "content-type": "text/plain" }, form: { a: "b" } }
  const unsupported: Refusal = [415, { error: "The provided content-type 'text/plain' is not supported." }, null]

  it("an unreadable body of whoever may send one, and one that may hold a token", async () => {
    expect(await refusalOf("POST", "/users", unreadable)).toEqual(unsupported)
    expect(await refusalOf("POST", "/users", { ...unreadable, token: null })).toEqual(unsupported)
    expect(await refusalOf("POST", "/users", { ...unreadable, token: "unknown" })).toEqual(nobody)
  })
})

describe("let through are", () => {
  const rows: ReadonlyArray<readonly [given: string, method: string, path: string, token: () => string | null]> = [
    ["nobody, in public", "GET", "/users?username=root", () => null],
    ["read_user for users", "GET", "/users", () => tokens.readUser],
    ["read_user for oneself", "HEAD", "/user", () => tokens.readUser],
    ["read_api for any read", "GET", "/personal_access_tokens", () => tokens.readApi],
    ["a token of any scope to its own data", "GET", "/personal_access_tokens/self", () => tokens.readRepository]
  ]
  it.each(rows)("%s", async (_, method, path, token) => {
    expect((await service.request(method, path, { token: token() })).status).toBe(200)
  })
})

describe("sudo", () => {
  const ways: ReadonlyArray<readonly [string, () => Sent]> = [
    ["by name", () => ({ headers: { sudo: "ann" } })],
    ["by name in any letter case", () => ({ headers: { Sudo: "ANN" } })],
    ["by id", () => ({ headers: { sudo: String(ann) } })],
    ["by parameter, which beats the header", () => ({ query: { sudo: "ann" }, headers: { sudo: "root" } })]
  ]
  it.each(ways)("%s", async (_, sent) => {
    expect(await whoIs(sent())).toEqual([200, "ann"])
  })

  const mustBeAdmin: Refusal = [403, { message: "403 Forbidden - Must be admin to use sudo" }, null]
  const unknownUser: Refusal = [404, { message: "404 User with ID or username 'nobody' Not Found" }, null]
  const unknown = (name: string): Refusal => [404, { message: `404 User with ID or username '${name}' Not Found` }, null]
  const refused: ReadonlyArray<readonly [string, () => Sent, Refusal]> = [
    ["as a name with NUL", () => ({ query: { sudo: "an\0n" } }), unknown("an\0n")],
    ["without a token", () => ({ token: null, headers: { sudo: "ann" } }), nobody],
    ["without being an administrator", () => ({ token: tokens.ann, headers: { sudo: "root" } }), mustBeAdmin],
    ["without its scope", () => ({ token: tokens.rootWithoutSudo, headers: { sudo: "ann" } }), tooSmall("sudo")],
    ["as an unknown user", () => ({ headers: { sudo: "nobody" } }), unknownUser]
  ]
  it.each(refused)("not %s", async (_, sent, refusal) => {
    expect(await refusalOf("GET", "/user", sent())).toEqual(refusal)
  })

  it("not as a name of broken text", async () => {
    const { body, status } = await service.request("POST", "/admin/clusters/add", { json: { sudo: "\ud800" } })
    expect([status, body]).toEqual([404, { message: "404 User with ID or username '\ud800' Not Found" }])
  })

  it("gives the rights of the assumed user, no more, and is logged", async () => {
    const { body, status } = await service.request("GET", "/admin/clusters", { headers: { sudo: "ann" } })
    expect([status, body]).toEqual([403, { message: "403 Forbidden" }])
    expect(service.log.at(-1)).toMatchObject({ caller: `user:${ann}`, onBehalfOf: "user:1" })
  })

  it("a number in JSON is an id", async () => {
    const { body, status } = await service.request("POST", "/admin/clusters/add", { json: { sudo: ann } })
    expect([status, body]).toEqual([403, { message: "403 Forbidden" }])
  })
})

describe("from the next request on", () => {
  it("a revoked token is refused", async () => {
    const { id, text } = await issueTokenFor(service, ann)
    expect(await whoIs({ token: text })).toEqual([200, "ann"])
    await service.request("DELETE", `/personal_access_tokens/${id}`)
    expect(await refusalOf("GET", "/user", { token: text })).toEqual(revoked)
  })

  it.each([
    ["block", "unblock", "Your account has been blocked."],
    ["ban", "unban", "Your account has been banned."]
  ])("a user is refused after %s, and let in after %s", async (out, back, reason) => {
    const id = await createUser(service, `user-to-${out}`)
    const { text } = await issueTokenFor(service, id)
    await service.request("POST", `/users/${id}/${out}`)
    expect(await whoIs({ token: text })).toEqual([403, { message: `403 Forbidden - ${reason}` }])
    await service.request("POST", `/users/${id}/${back}`)
    expect(await whoIs({ token: text })).toEqual([200, `user-to-${out}`])
  })

  it("tokens of a deleted user are unknown", async () => {
    const id = await createUser(service, "leaver")
    const { text } = await issueTokenFor(service, id)
    await service.request("DELETE", `/users/${id}`)
    expect(await whoIs({ token: text })).toEqual([401, unauthorized])
  })

  it("an administrator who is none any more is refused as such", async () => {
    const id = await createUser(service, "deputy", { admin: true })
    const { text } = await issueTokenFor(service, id)
    expect((await service.request("GET", "/admin/clusters", { token: text })).status).toBe(200)
    await service.request("PUT", `/users/${id}`, { json: { admin: false } })
    expect((await service.request("GET", "/admin/clusters", { token: text })).status).toBe(403)
  })
})
