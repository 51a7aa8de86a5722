import { describe, expect, it } from "vitest"
import { routes } from "#src/composition.ts"
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
const ok: Answer = [200, expect.anything()]
const noUser: Answer = [404, { message: "404 User Not Found" }]
const noToken: Answer = [404, { message: "404 Not found" }]
const invalid = (error: string): Answer => [400, { error }]
const refused = (reason: string): Answer => [403, { message: `403 Forbidden - ${reason}` }]

/** Of the callers that every endpoint treats alike. */
const outsiders = { "garbage token": unauthorized, "blocked user": blocked }

/** Which answer comes first where a user is needed, or an administrator, and scopes are those of users or of anything else. */
const reads = (scope: Answer, answers: Record<"ordinary user" | "administrator, api", Answer>): Record<CallerName, Answer> => ({
  ...outsiders,
  anonymous: unauthorized,
  "administrator, read_api": answers["administrator, api"],
  "administrator, read_user": scope,
  ...answers
})
const writes = (scope: Answer, answers: Record<"ordinary user" | "administrator, api", Answer>): Record<CallerName, Answer> => ({
  ...reads(scope, answers),
  "administrator, read_api": scope,
  "administrator, read_user": scope
})

const ofUsers: Answer = scopeTooSmall("read_user api read_api")
const elsewhere: Answer = scopeTooSmall("api read_api")
const absent = { "ordinary user": forbidden, "administrator, api": noUser }
const wrong = (error: string) => ({ "ordinary user": invalid(error), "administrator, api": invalid(error) })
const half = "extern_uid, provider provide all or none of parameters"

/**
 * One request to each endpoint, about users and tokens that do not exist where an id is needed, with parameters that are wrong
 * where there are any: so the answer tells which check comes first.
 */
const table: Readonly<Record<string, readonly [path: string, answers: Record<CallerName, Answer>]>> = {
  "users.current": ["/user", reads(ok, { "ordinary user": ok, "administrator, api": ok })],
  "users.list": [
    "/users?per_page=0",
    {
      ...reads(invalid("per_page has a value not allowed"), wrong("per_page has a value not allowed")),
      anonymous: invalid("per_page has a value not allowed")
    }
  ],
  "users.read": [
    "/users/999999",
    { ...reads(noUser, { "ordinary user": noUser, "administrator, api": noUser }), anonymous: refused("Not authorized!") }
  ],
  "users.create": ["/users?provider=x&email=&password=&name=&username=", writes(ofUsers, wrong(half))],
  "users.update": ["/users/999999?provider=x", writes(ofUsers, wrong(half))],
  "users.delete": ["/users/999999", writes(ofUsers, absent)],
  "users.block": ["/users/999999/block", writes(ofUsers, absent)],
  "users.unblock": ["/users/999999/unblock", writes(ofUsers, absent)],
  "users.deactivate": ["/users/999999/deactivate", writes(ofUsers, absent)],
  "users.activate": ["/users/999999/activate", writes(ofUsers, absent)],
  "users.ban": ["/users/999999/ban", writes(ofUsers, absent)],
  "users.unban": ["/users/999999/unban", writes(ofUsers, absent)],
  "personalAccessTokens.create": [
    "/users/999999/personal_access_tokens?scopes=api",
    writes(elsewhere, { "ordinary user": forbidden, "administrator, api": invalid("name is missing") })
  ],
  "personalAccessTokens.list": [
    "/personal_access_tokens?user_id=999999",
    reads(elsewhere, { "ordinary user": unauthorized, "administrator, api": [404, { message: "404 Not Found" }] })
  ],
  "personalAccessTokens.read": [
    "/personal_access_tokens/999999",
    reads(elsewhere, { "ordinary user": noToken, "administrator, api": noToken })
  ],
  "personalAccessTokens.readSelf": ["/personal_access_tokens/self", reads(ok, { "ordinary user": ok, "administrator, api": ok })],
  "personalAccessTokens.revoke": [
    "/personal_access_tokens/999999",
    writes(elsewhere, { "ordinary user": noToken, "administrator, api": noToken })
  ],
  "personalAccessTokens.rotate": [
    "/personal_access_tokens/x/rotate?expires_at=x",
    writes(elsewhere, wrong("expires_at is invalid"))
  ],
  "personalAccessTokens.rotateSelf": [
    "/personal_access_tokens/self/rotate?expires_at=x",
    writes(elsewhere, wrong("expires_at is invalid"))
  ]
}

const endpoints = routes.map(({ endpoint }) => endpoint).filter(({ area }) => ["users", "personalAccessTokens"].includes(area))

describe.each(endpoints.filter(({ name }) => name in table))("$name", ({ method, name }) => {
  const [path, answers] = table[name] ?? ["", undefined]
  it.each(callers)("%s", async (caller) => {
    expect(await askAs(caller, method, path)).toEqual(answers?.[caller])
  })
})

it("the table has every endpoint but the one that would end the tokens of the table", () => {
  const names = endpoints.map(({ name }) => name).filter((name) => name !== "personalAccessTokens.revokeSelf")
  expect(Object.keys(table).toSorted()).toEqual(names.toSorted())
})
