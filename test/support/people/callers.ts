import { beforeAll } from "vitest"
import { answerOf, rootToken, type Sent, type TestService, useService } from "../service.ts"
import { createUser, issueTokenFor } from "./accounts.ts"

/** Everybody whom a table of privileges must have a column for. */
export const callers = [
  "anonymous",
  "garbage token",
  "ordinary user",
  "blocked user",
  "administrator, read_api",
  "administrator, read_user",
  "administrator, api"
] as const
export type CallerName = (typeof callers)[number]

export const unauthorized = [401, { message: "401 Unauthorized" }] as const
export const forbidden = [403, { message: "403 Forbidden" }] as const
export const blocked = [403, { message: "403 Forbidden - Your account has been blocked." }] as const
export const scopeTooSmall = (scope: string) =>
  [
    403,
    {
      error: "insufficient_scope",
      error_description: "The request requires higher privileges than provided by the access token.",
      scope
    }
  ] as const

export type Answer = readonly [status: number, body: unknown]

/** Makes the users before the tests of the file; answers the token of each caller, null for none. */
const useTokens = (service: TestService): ((caller: CallerName) => string | null) => {
  const tokens = new Map<CallerName, string | null>([
    ["anonymous", null],
    ["garbage token", "glpat-nobody-has-this-00"],
    ["administrator, api", rootToken]
  ])
  beforeAll(async () => {
    const admin = await createUser(service, "grace", { admin: true })
    const blockedUser = await createUser(service, "mallory")
    const issue = async (caller: CallerName, userId: number, ...scopes: ReadonlyArray<string>) =>
      tokens.set(caller, (await issueTokenFor(service, userId, { scopes })).text)
    await issue("ordinary user", await createUser(service, "ada"), "api")
    await issue("blocked user", blockedUser, "api")
    await issue("administrator, read_api", admin, "read_api")
    await issue("administrator, read_user", admin, "read_user")
    await service.request("POST", `/users/${blockedUser}/block`)
  })
  return (caller) => tokens.get(caller) ?? null
}

/** A service with all callers; asks it as one of them. */
export const useCallers = () => {
  const service = useService()
  const tokenOf = useTokens(service)
  return async (caller: CallerName, method: string, path: string, sent: Sent = {}) =>
    answerOf(await service.request(method, path, { ...sent, token: tokenOf(caller) }))
}
