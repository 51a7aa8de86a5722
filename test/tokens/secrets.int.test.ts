import { createHash } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { logText, tablesThatHold } from "#test/support/everywhere.ts"
import { field } from "#test/support/exactly.ts"
import { createUser } from "#test/support/people/accounts.ts"
import { rootToken, type Sent, useService } from "#test/support/service.ts"

const service = useService()
const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex")

let user = 0
const told: Array<string> = []
/** Sends a request and keeps the answer. */
const ask = async (method: string, path: string, sent?: Sent) => {
  const { body, headers, status } = await service.request(method, path, sent)
  told.push(JSON.stringify([status, body, ...headers]))
  return { body, status }
}
const parameters = { name: "ci", scopes: ["api", "read_user"] }

beforeAll(async () => {
  user = await createUser(service, "ada")
})

describe("the text of a token", () => {
  const texts: Array<string> = []
  const textOf = async (path: string, sent?: Sent): Promise<string> => {
    const { body, status } = await service.request("POST", path, sent)
    expect(status).toBeOneOf([200, 201])
    const text = String(field(body, "token"))
    expect(text).toMatch(/^glpat-[\w-]{20}$/)
    texts.push(text)
    return text
  }

  it("is told by the answer that makes it, and never again", async () => {
    const first = await textOf(`/users/${user}/personal_access_tokens`, { json: parameters })
    const second = await textOf("/personal_access_tokens/self/rotate", { token: first })
    const third = await textOf(`/users/${user}/personal_access_tokens`, { json: parameters, headers: { "idempotency-key": "a" } })
    expect(new Set(texts).size).toBe(3)

    const { body } = await ask("GET", "/personal_access_tokens/self", { token: second })
    const id = field(body, "id")
    for (const sent of [{}, { token: third }, { token: null, query: { private_token: third } }]) {
      await ask("GET", "/personal_access_tokens", sent)
      await ask("GET", `/personal_access_tokens/${id}`, sent)
      await ask("GET", "/user", sent)
    }
    // Refused ones too, in each place where a token may be.
    await ask("GET", "/user", { token: first })
    await ask("GET", "/user", { token: null, query: { access_token: first } })
    await ask("GET", "/user", { token: null, headers: { authorization: `Bearer ${first}` } })
    await ask("POST", "/users", { token: null, form: { private_token: first } })
    await ask("POST", "/personal_access_tokens/self/rotate", { token: second, query: { expires_at: "2000-01-01" } })
    await ask("DELETE", "/personal_access_tokens/self", { token: second })

    for (const text of texts) {
      expect(told.filter((answer) => answer.includes(text))).toEqual([])
      expect(await tablesThatHold(service, text)).toEqual([])
      expect(logText(service)).not.toContain(text)
    }
  })

  it("is known by a digest, which no answer tells", async () => {
    for (const text of texts) {
      expect(await tablesThatHold(service, digestOf(text))).toEqual(["chronoforge.events", "rm_tokens.tokens"])
      expect(told.filter((answer) => answer.includes(digestOf(text)))).toEqual([])
    }
  })

  it("of root, from the settings, is kept nowhere either", async () => {
    expect(await tablesThatHold(service, rootToken)).toEqual([])
    expect(logText(service)).not.toContain(rootToken)
  })

  it("is lost with its answer: a repeat of the request names what it made", async () => {
    const sent = { json: parameters, headers: { "idempotency-key": "again" } }
    const id = field((await service.request("POST", `/users/${user}/personal_access_tokens`, sent)).body, "id")
    const message = `This request was carried out already, and its secret is shown only once: personal access token ${id}`
    expect(await ask("POST", `/users/${user}/personal_access_tokens`, sent)).toEqual({ status: 409, body: { message } })
  })
})
