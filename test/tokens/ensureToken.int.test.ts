import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Projections } from "#src/platform/Projections.ts"
import { ensureToken } from "#src/tokens/issue/ensureToken.ts"
import { field } from "#test/support/exactly.ts"
import { type Sent, useService } from "#test/support/service.ts"

const service = useService()

const answer = async (method: string, path: string, sent?: Sent) => {
  const { body, status } = await service.request(method, path, sent)
  return [status, body]
}
const names = async (search: string) => {
  const { body } = await service.request("GET", "/personal_access_tokens", { query: { search } })
  return Array.isArray(body) ? body.map((token) => field(token, "name")) : body
}
const revokedAnswer = [
  401,
  { error: "invalid_token", error_description: "Token was revoked. You have to re-authorize from the user." }
]

describe("tokens with a chosen text", () => {
  const ensure = (text: string) =>
    Effect.gen(function* () {
      const projections = yield* Projections
      const handled = yield* ensureToken({ userId: 1, name: text, scopes: ["api"], text })
      if (handled !== undefined) yield* projections.awaitPosition(handled.position)
      return handled
    })

  it("are issued once, however many processes ask at once", async () => {
    const asked = Array.from({ length: 6 }, () => ensure("chosen-text"))
    const handled = await service.run(Effect.all(asked, { concurrency: "unbounded" }))
    expect(new Set(handled.flatMap((it) => (it === undefined ? [] : [it.stream]))).size).toBe(1)
    expect(await names("chosen-text")).toEqual(["chosen-text"])
    expect(await answer("GET", "/personal_access_tokens/self", { token: "chosen-text" })).toMatchObject([
      200,
      { user_id: 1, expires_at: null, active: true }
    ])
  })

  it("stay revoked", async () => {
    const handled = await service.run(ensure("another-text"))
    const id = handled?.stream.split("-").at(-1)
    expect(await answer("DELETE", `/personal_access_tokens/${id}`)).toEqual([204, undefined])
    expect(await service.run(ensure("another-text"))).toBe(undefined)
    expect(await answer("GET", "/user", { token: "another-text" })).toEqual(revokedAnswer)
  })
})
