import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { gitClient } from "#test/support/git/gitClient.ts"
import { basic, requestFrom } from "#test/support/requests/requestFrom.ts"
import { rootToken } from "#test/support/service.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"
import { useProjects } from "../projects/useProjects.ts"

const { addMember, newProject, newUser, service } = useProjects({
  RATE_LIMIT_UNAUTHENTICATED: "3",
  RATE_LIMIT_AUTHENTICATED: "12"
})
const folder = temporaryFolder()

const right = "correct horse battery"
let ada = ""

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2030, 1, 1) })
  await newProject("open", { visibility: "public", initialize_with_readme: true })
  const project = await newProject("private", { initialize_with_readme: true })
  const user = await newUser("ada", { force_random_password: false, password: right })
  await addMember(`/projects/${project}`, user.id, 20)
  ada = user.token
  vi.useRealTimers()
})

// Requests are counted by the minute of the clock, so each test has a minute of its own, ten seconds old.
let minute = 30_000_000
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: minute++ * 60_000 + 10_000 })
})
afterEach(() => void vi.useRealTimers())

const refs = (project: string) => `/root/${project}.git/info/refs?service=git-upload-pack`

const ask = (path: string, authorization?: string, from = "127.0.0.1") =>
  requestFrom(from, `${service.url}${path}`, authorization === undefined ? {} : { authorization })

const statuses = async (times: number, ...asked: Parameters<typeof ask>) => {
  const seen: Array<number> = []
  for (let time = 0; time < times; time++) seen.push((await ask(...asked)).status)
  return seen
}

const lsRemote = async (project: string, credentials: string) => {
  const { host } = new URL(service.url)
  return (await gitClient(folder(), ["ls-remote", `http://${credentials}${host}/root/${project}.git`, "HEAD"])).status
}

describe("a request of git too many", () => {
  it("is told as over the interface, and counted together with that", async () => {
    expect(await statuses(1, "/api/v4/projects")).toEqual([200])
    expect(await statuses(2, refs("open"))).toEqual([200, 200])
    const { body, headers, status } = await ask(refs("open"))
    expect([status, headers["content-type"], body, headers["www-authenticate"]]).toEqual([
      429,
      "text/plain",
      "Retry later\n",
      undefined
    ])
    expect(Object.fromEntries(Object.entries(headers).filter(([name]) => /^ratelimit|^retry/.test(name)))).toEqual({
      "ratelimit-name": "throttle_unauthenticated_api",
      "ratelimit-limit": "3",
      "ratelimit-observed": "4",
      "ratelimit-remaining": "0",
      "ratelimit-reset": String(minute * 60),
      "ratelimit-resettime": new Date(minute * 60_000).toUTCString(),
      "retry-after": "50"
    })
    expect(await statuses(1, "/api/v4/projects")).toEqual([429])
    expect(await statuses(1, refs("open"), undefined, "127.0.0.2")).toEqual([200])
    expect(await statuses(1, refs("open"), basic("any", ada))).toEqual([200])
  })

  it("of a user is one of the token or of the password", async () => {
    expect(await statuses(11, refs("open"), basic("any", ada))).toEqual(Array(11).fill(200))
    expect(await statuses(2, refs("open"), basic("ada", right), "127.0.0.2")).toEqual([200, 429])
    const { headers, status } = await ask(refs("open"), basic("any", ada), "127.0.0.3")
    expect([status, headers["ratelimit-name"], headers["ratelimit-limit"]]).toEqual([429, "throttle_authenticated_api", "12"])
    await until(() => service.log.at(-1)?.status === 429)
    expect(service.log.at(-1)?.caller).toMatch(/^user:\d+$/)
    expect(await statuses(1, refs("open"), basic("any", rootToken))).toEqual([200])
  })

  it("is refused before a project is looked for", async () => {
    await statuses(3, refs("open"))
    const before = service.statements.length
    expect(await statuses(1, refs("private"))).toEqual([429])
    expect(service.statements.slice(before)).toEqual([])
  })

  it("ends a clone with an error that git shows", async () => {
    await statuses(3, refs("open"))
    const { host } = new URL(service.url)
    const { status, stderr } = await gitClient(folder(), ["clone", `http://${host}/root/open.git`, "refused"])
    expect([status, stderr]).toEqual([128, expect.stringContaining("The requested URL returned error: 429")])
  })
})

describe("counted against the address are", () => {
  it.each([
    ["unknown tokens", basic("any", "glpat-unknown"), 401],
    ["wrong passwords", basic("ada", "wrong"), 401],
    ["credentials that cannot be read", "Basic !", 401],
    ["projects that nobody sees", undefined, 401]
  ])("%s", async (_, authorization, status) => {
    const from = "127.0.1.1"
    expect(await statuses(4, refs("private"), authorization, from)).toEqual([status, status, status, 429])
    expect(await statuses(1, refs("open"), undefined, from)).toEqual([429])
  })

  it("passwords before they are checked, but not right ones", async () => {
    expect(await statuses(4, refs("open"), basic("ada", right), "127.0.1.2")).toEqual([200, 200, 200, 200])
    expect(await statuses(3, refs("open"), undefined, "127.0.1.2")).toEqual([200, 200, 200])
    expect(await statuses(1, refs("open"), basic("ada", right), "127.0.1.2")).toEqual([429])
    expect(await statuses(1, refs("open"), basic("any", ada), "127.0.1.2")).toEqual([200])
  })

  it("not the first requests of git, without credentials, where right ones follow", async () => {
    const challenges = () => service.log.filter(({ status }) => status === 401).length
    const before = challenges()
    const codes: Array<number> = []
    const password = `ada:${encodeURIComponent(right)}@`
    for (const credentials of [`any:${rootToken}@`, `any:${rootToken}@`, `any:${rootToken}@`, password, password]) {
      codes.push(await lsRemote("private", credentials))
    }
    expect(codes).toEqual([0, 0, 0, 0, 0])
    await until(() => challenges() === before + 5)
    expect(await statuses(4, refs("open"))).toEqual([200, 200, 200, 429])
  })
})
