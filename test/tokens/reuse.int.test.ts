import { describe, expect, it } from "vitest"
import { issueTokenFor } from "#test/support/people/accounts.ts"
import { useService } from "#test/support/service.ts"

const textOf = (body: unknown): string => (typeof body === "object" && body !== null && "token" in body ? String(body.token) : "")

describe("a token", () => {
  const service = useService()
  const status = async (token: string) => (await service.request("GET", "/user", { token })).status

  it("that was rotated and is presented for rotation again takes its successors with it", async () => {
    const first = await issueTokenFor(service, 1, { scopes: ["api"] })
    const second = textOf((await service.request("POST", "/personal_access_tokens/self/rotate", { token: first.text })).body)
    const third = textOf((await service.request("POST", "/personal_access_tokens/self/rotate", { token: second })).body)
    expect([await status(second), await status(third)]).toEqual([401, 200])
    const reused = await service.request("POST", "/personal_access_tokens/self/rotate", { token: first.text })
    expect([reused.status, reused.body]).toEqual([
      401,
      { error: "invalid_token", error_description: "Token was revoked. You have to re-authorize from the user." }
    ])
    expect(await status(third)).toBe(401)
  })

  it("may revoke itself, whatever its scopes", async () => {
    const { text: token } = await issueTokenFor(service, 1, { scopes: ["read_repository"] })
    expect(await status(token)).toBe(403)
    expect((await service.request("DELETE", "/personal_access_tokens/self", { token })).status).toBe(204)
    expect(await status(token)).toBe(401)
  })
})
