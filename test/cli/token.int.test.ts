import { assert, describe, it } from "vitest"
import { useInstallation } from "./useInstallation.ts"

const { request, run } = useInstallation()

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describe("token", () => {
  it("is issued, printed once, and works at once", async () => {
    const until = inDays(30)
    const { code, stderr, stdout } = await run(
      "token",
      "create",
      "root",
      "--name",
      "script",
      "--scopes",
      "read_api,read_user",
      "--expires-in",
      "30d"
    )
    assert.deepStrictEqual(
      [code, stderr],
      [0, `Token 2 of root (read_api,read_user), valid until ${until}. It is shown only now:\n`]
    )
    assert.match(stdout, /^glpat-[\w-]{20}\n$/)
    const self = await request("GET", "/personal_access_tokens/self", { token: stdout.trim() })
    const { created_at: _, last_used_at: __, ...body } = Object(self.body)
    assert.deepInclude(body, { id: 2, name: "script", scopes: ["read_api", "read_user"], expires_at: until, active: true })
  })

  it("is listed", async () => {
    const { code, stdout } = await run("token", "list", "root")
    assert.strictEqual(code, 0)
    assert.match(stdout, /^1 {2}root token {2}.*\n2 {2}script {6}read_api,read_user .*until \d{4}-\d\d-\d\d {2}/)
  })

  it("is revoked, once", async () => {
    assert.deepStrictEqual(await run("token", "revoke", "2"), { code: 0, stdout: "Token 2 is revoked\n", stderr: "" })
    assert.deepStrictEqual(await run("token", "revoke", "2"), { code: 0, stdout: "Token 2 was revoked before\n", stderr: "" })
  })

  const refusals: ReadonlyArray<readonly [number, string, ReadonlyArray<string>]> = [
    [1, "There is no user nobody", ["create", "nobody"]],
    [1, `Expires at must be before ${inDays(365)}`, ["create", "root", "--expires-in", "2y"]],
    [2, "a number with d (days), w (weeks) or y (years), such as 90d", ["create", "root", "--expires-in", "soon"]],
    [2, "unknown scope everything", ["create", "root", "--scopes", "everything"]]
  ]
  for (const [code, message, args] of refusals) {
    it(`${args.join(" ")}: ${message}`, async () => {
      const ended = await run("token", ...args)
      assert.strictEqual(ended.code, code)
      assert.include(ended.stderr, message)
    })
  }
})
