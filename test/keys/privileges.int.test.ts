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

/** A request that changes nothing, and who is told what. */
interface PrivilegedRequest {
  readonly request: readonly [method: string, path: string, query?: Readonly<Record<string, string>>]
  readonly ordinary: Answer
  readonly administrator: Answer
  /** Where no token is needed. */
  readonly anonymous?: Answer
  /** Scopes that suffice besides `api read_api`. */
  readonly readScopes?: string
}

const error = (text: string): Answer => [400, { error: text }]
const keyNotFound: Answer = [404, { message: "404 Key Not Found" }]
const userNotFound: Answer = [404, { message: "404 User Not Found" }]
const notFound: Answer = [404, { message: "404 Not found" }]
const nothing: Answer = [200, []]
const incomplete = error("key is missing, title is missing")
const fingerprintMissing = error("fingerprint is missing")
const keyIdInvalid = error("key_id is invalid")
const complete = { key: "ssh-rsa x", title: "a" }
const readScopes = "read_user"

/** The same answer for every user who may use the endpoint. */
const all = (answer: Answer) => ({ ordinary: answer, administrator: answer })

const lookups: ReadonlyArray<PrivilegedRequest> = [
  { request: ["GET", "/keys/999999"], ordinary: forbidden, administrator: notFound },
  { request: ["GET", "/keys/abc"], ordinary: forbidden, administrator: notFound },
  { request: ["GET", "/keys"], ...all(fingerprintMissing) },
  {
    request: ["GET", "/keys", { fingerprint: "" }],
    ordinary: forbidden,
    administrator: [400, { message: "Failed to return the key" }]
  },
  {
    request: ["GET", "/keys", { fingerprint: "x" }],
    ordinary: forbidden,
    administrator: [400, { message: "Failed to return the key" }]
  },
  { request: ["GET", "/keys", { fingerprint: `SHA256:${"A".repeat(43)}` }], ordinary: forbidden, administrator: keyNotFound }
]

const ofUsers: ReadonlyArray<PrivilegedRequest> = [
  { request: ["GET", "/user/keys"], ...all(nothing), readScopes },
  { request: ["GET", "/user/keys/999999"], ...all(keyNotFound), readScopes },
  { request: ["GET", "/user/keys/x"], ...all(keyIdInvalid), readScopes },
  { request: ["POST", "/user/keys"], ...all(incomplete), readScopes },
  { request: ["DELETE", "/user/keys/999999"], ...all(keyNotFound), readScopes },
  { request: ["GET", "/users/1/keys"], ...all(nothing), anonymous: nothing, readScopes },
  { request: ["GET", "/users/root/keys"], ...all(nothing), anonymous: nothing, readScopes },
  { request: ["GET", "/users/999999/keys"], ...all(userNotFound), anonymous: userNotFound, readScopes },
  { request: ["GET", "/users/1/keys/999999"], ...all(keyNotFound), anonymous: keyNotFound, readScopes },
  { request: ["GET", "/users/999999/keys/1"], ...all(userNotFound), anonymous: userNotFound, readScopes },
  { request: ["GET", "/users/1/keys/x"], ...all(keyIdInvalid), anonymous: keyIdInvalid, readScopes },
  { request: ["POST", "/users/999999/keys"], ...all(incomplete), readScopes },
  { request: ["POST", "/users/999999/keys", complete], ordinary: forbidden, administrator: userNotFound, readScopes },
  { request: ["DELETE", "/users/1/keys/x"], ...all(keyIdInvalid), readScopes },
  { request: ["DELETE", "/users/999999/keys/1"], ordinary: forbidden, administrator: userNotFound, readScopes },
  { request: ["DELETE", "/users/1/keys/999999"], ordinary: forbidden, administrator: keyNotFound, readScopes }
]

const deployKeys: ReadonlyArray<PrivilegedRequest> = [
  { request: ["GET", "/deploy_keys"], ordinary: forbidden, administrator: nothing },
  { request: ["GET", "/deploy_keys", { public: "x" }], ...all(error("public is invalid")) },
  { request: ["POST", "/deploy_keys"], ...all(incomplete) },
  {
    request: ["POST", "/deploy_keys", complete],
    ordinary: forbidden,
    administrator: [
      400,
      {
        message: {
          key: ["type is forbidden. Must be RSA, ECDSA, ED25519, ECDSA_SK, or ED25519_SK"],
          fingerprint_sha256: ["cannot be generated"]
        }
      }
    ]
  }
]

const expected = (
  caller: CallerName,
  { administrator, anonymous, ordinary, readScopes, request: [method] }: PrivilegedRequest
): Answer => {
  const tooSmall = scopeTooSmall(readScopes === undefined ? "api read_api" : `${readScopes} api read_api`)
  const isRead = method === "GET"
  switch (caller) {
    case "anonymous":
      return anonymous ?? unauthorized
    case "garbage token":
      return unauthorized
    case "ordinary user":
      return ordinary
    case "blocked user":
      return blocked
    case "administrator, read_user":
      return isRead && readScopes !== undefined ? administrator : tooSmall
    case "administrator, read_api":
      return isRead ? administrator : tooSmall
    case "administrator, api":
      return administrator
  }
}

const rows = [...lookups, ...ofUsers, ...deployKeys].map((asked) => [asked.request.slice(0, 2).join(" "), asked] as const)

describe.each(callers)("%s", (caller) => {
  it.each(rows)("%s", async (_, asked) => {
    const [method, path, query = {}] = asked.request
    expect(await askAs(caller, method, path, { query })).toEqual(expected(caller, asked))
  })
})
