import { afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { gitClient } from "#test/support/git/gitClient.ts"
import { basic, requestFrom } from "#test/support/requests/requestFrom.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useProjects } from "../projects/useProjects.ts"

const right = "correct horse battery"
const path = "/root/private.git/info/refs?service=git-upload-pack"

/** A service with a private project of which `ada` and `bob` are Reporters. */
const useAccounts = (env: Readonly<Record<string, string>> = {}) => {
  const { addMember, newProject, newUser, service } = useProjects(env)
  const tokens: Record<string, string> = {}
  beforeAll(async () => {
    const project = await newProject("private", { initialize_with_readme: true })
    for (const name of ["ada", "bob"]) {
      const { id, token } = await newUser(name, { force_random_password: false, password: right })
      await addMember(`/projects/${project}`, id, 20)
      tokens[name] = token
    }
  })
  const ask = (from: string, user: string, password: string) =>
    requestFrom(from, `${service.url}${path}`, { authorization: basic(user, password) })
  return {
    service,
    tokens,
    ask,
    statusOf: async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status,
    /** URL of the project for git. */
    urlFor: (user: string, password: string) => {
      const { host } = new URL(service.url)
      return `http://${user}:${encodeURIComponent(password)}@${host}/root/private.git`
    }
  }
}

const addresses = (count: number, net: string) => Array.from({ length: count }, (_, index) => `${net}.${index + 1}`)

afterEach(() => void vi.useRealTimers())

describe("120 wrong passwords at once", () => {
  const { ask, statusOf, tokens, urlFor } = useAccounts()
  const folder = temporaryFolder()

  it("from one address delay neither others nor the owner elsewhere, and no token", async () => {
    const millisOf = async (from: string) => {
      const startedAt = performance.now()
      expect(await statusOf(from, "bob", right)).toBe(200)
      return performance.now() - startedAt
    }
    // On a busy machine a check takes longer than the tenth of a second that it takes alone.
    const alone = await millisOf("127.0.0.30")
    const wrong = Array.from({ length: 120 }, (_, index) => ask("127.0.0.2", "ada", `wrong ${index}`))
    const answers = await Promise.all([
      millisOf("127.0.0.3").then((millis) => millis < 12 * alone),
      statusOf("127.0.0.4", "ada", right),
      statusOf("127.0.0.2", "ada", tokens.ada ?? ""),
      gitClient(folder(), ["ls-remote", urlFor("bob", right), "HEAD"])
    ])
    expect(answers).toEqual([true, 200, 200, { status: 0, stdout: expect.stringMatching(/^[0-9a-f]{40}\tHEAD\n$/), stderr: "" }])
    const refused = await Promise.all(wrong)
    expect(refused.filter(({ status }) => status === 401)).toHaveLength(3)
    const others = refused.filter(({ status }) => status !== 401)
    expect(others.filter(({ headers, status }) => ![429, 503].includes(status) || headers["retry-after"] === undefined)).toEqual(
      []
    )
    expect(others.some(({ status }) => status === 429)).toBe(true)
  })

  it("for as many names that nobody has are told alike", async () => {
    const wrong = await Promise.all(addresses(3, "127.0.5").map((from) => ask(from, "no-such-user", right)))
    const known = await Promise.all(addresses(3, "127.0.6").map((from) => ask(from, "bob", "wrong")))
    const told = ({ body, headers, status }: (typeof wrong)[number]) => [status, body, headers["www-authenticate"]]
    expect(wrong.map(told)).toEqual(known.map(told))
    expect(wrong.map(told)).toEqual(
      Array(3).fill([401, expect.stringMatching(/^HTTP Basic: Access denied\./), 'Basic realm="GitLab"'])
    )
  })

  it("do not follow from tokens: wrong ones are refused without a look at passwords", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, () => statusOf("127.0.0.7", "bob", "glpat-of-nobody-at-all-12"))
    )
    expect(statuses).toEqual(Array(60).fill(401))
    expect(await statusOf("127.0.0.7", "bob", right)).toBe(200)
  })
})

describe("a wrong password too many", () => {
  const { ask, service, statusOf, urlFor } = useAccounts()
  const folder = temporaryFolder()

  it("is told in plain text, with the time to wait, and as an error of git", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2040, 1, 1) })
    for (let time = 0; time < 3; time++) await ask("127.0.0.1", "ada", "wrong")
    const { body, headers, status } = await ask("127.0.0.1", "ada", right)
    expect([status, headers["content-type"], headers["retry-after"], headers["www-authenticate"], body]).toEqual([
      429,
      "text/plain; charset=utf-8",
      "1",
      undefined,
      "Too many wrong passwords. Try again in 1 seconds, or use a token, for which nobody has to wait.\n"
    ])
    const refused = await gitClient(folder(), ["ls-remote", urlFor("ada", right)])
    expect([refused.status, refused.stderr]).toEqual([128, expect.stringContaining("The requested URL returned error: 429")])
    vi.setSystemTime(Date.now() + 1_000)
    expect((await gitClient(folder(), ["ls-remote", urlFor("ada", right)])).status).toBe(0)
  })

  it("locks an account for ten minutes, but not where its owner signed in, and no token", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2041, 1, 1) })
    expect(await statusOf("127.0.0.9", "bob", right)).toBe(200)
    for (const from of addresses(10, "127.0.1")) expect(await statusOf(from, "bob", "wrong")).toBe(401)
    const { headers, status } = await ask("127.0.0.8", "bob", right)
    expect([status, headers["retry-after"]]).toEqual([429, "600"])
    expect(await statusOf("127.0.0.9", "bob", right)).toBe(200)
  })

  it("is counted by what becomes of it", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2044, 1, 1) })
    const told = async () => {
      const { body } = await service.request("GET", "/-/metrics")
      return ["right", "wrong", "delayed"].map((outcome) =>
        Number(new RegExp(`^chronoforge_sign_ins_total\\{outcome="${outcome}"\\} (\\d+)$`, "m").exec(String(body))?.[1])
      )
    }
    const before = await told()
    for (const password of [right, "wrong", "wrong", "wrong", "wrong", right]) await statusOf("127.0.0.20", "bob", password)
    const after = await told()
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 3, 2])
  })

  it("is over in time", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2042, 1, 1) })
    for (const from of addresses(10, "127.0.2")) expect(await statusOf(from, "ada", "wrong")).toBe(401)
    vi.setSystemTime(Date.now() + 599_000)
    expect(await statusOf("127.0.0.8", "ada", right)).toBe(429)
    vi.setSystemTime(Date.now() + 1_000)
    expect(await statusOf("127.0.0.8", "ada", right)).toBe(200)
  })
})

describe("accounts are", () => {
  const never = useAccounts({ MAX_LOGIN_ATTEMPTS: "0" })
  const soon = useAccounts({ MAX_LOGIN_ATTEMPTS: "2", FAILED_LOGIN_ATTEMPTS_UNLOCK_PERIOD_IN_MINUTES: "5" })

  it("never locked with MAX_LOGIN_ATTEMPTS=0", async () => {
    for (const from of addresses(12, "127.0.3")) expect(await never.statusOf(from, "ada", "wrong")).toBe(401)
    expect(await never.statusOf("127.0.0.8", "ada", right)).toBe(200)
  })

  it("locked as the settings say", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2043, 1, 1) })
    for (const from of addresses(2, "127.0.4")) expect(await soon.statusOf(from, "ada", "wrong")).toBe(401)
    expect((await soon.ask("127.0.0.8", "ada", right)).headers["retry-after"]).toBe("300")
  })
})
