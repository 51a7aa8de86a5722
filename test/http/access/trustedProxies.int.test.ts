import { createServer, request, type Server } from "node:http"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { gitClient } from "#test/support/git/gitClient.ts"
import { requestFrom } from "#test/support/requests/requestFrom.ts"
import { useService } from "#test/support/service.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"

const service = useService({ TRUSTED_PROXIES: "127.0.0.1, 127.0.0.2", RATE_LIMIT_UNAUTHENTICATED: "3" })
const folder = temporaryFolder()

/** A proxy as they are usually set up: it adds who connects to it to what the client says. */
const makeProxy = (localAddress: string, target: () => string): Server =>
  createServer((incoming, outgoing) => {
    const forwarded = [incoming.headers["x-forwarded-for"], incoming.socket.remoteAddress].filter((each) => each !== undefined)
    const { method = "GET", url = "/" } = incoming
    const headers = { ...incoming.headers, "x-forwarded-for": forwarded.join(", ") }
    const sent = request(`${target()}${url}`, { method, headers, localAddress, agent: false }, (answer) => {
      answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers))
    })
    incoming.pipe(sent)
  })

const urlOf = (server: Server): string => {
  const bound = server.address()
  return typeof bound === "object" && bound !== null ? `http://127.0.0.1:${bound.port}` : ""
}

const inner: Server = makeProxy("127.0.0.1", () => service.url)
const outer: Server = makeProxy("127.0.0.2", () => urlOf(inner))
const untrusted: Server = makeProxy("127.0.0.3", () => service.url)
const proxies = [inner, outer, untrusted]

beforeAll(() => Promise.all(proxies.map((each) => new Promise<void>((done) => each.listen(0, "127.0.0.1", done)))))
afterAll(() => Promise.all(proxies.map((each) => new Promise((done) => each.close(done)))))

// Requests are counted by the minute of the clock, so each test has a minute of its own.
let minute = 30_000_000
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: minute++ * 60_000 }))
afterEach(() => void vi.useRealTimers())

const path = "/api/v4/users?username=root"

/** What so many requests from an address are answered, and from where they came as the log tells. */
const ask = async (times: number, from: string, url: string, header?: (time: number) => string) => {
  const before = service.log.length
  const seen: Array<number> = []
  for (let time = 0; time < times; time++) {
    const headers = header === undefined ? {} : { "x-forwarded-for": header(time) }
    seen.push((await requestFrom(from, `${url}${path}`, headers)).status)
  }
  return [seen, [...new Set(service.log.slice(before).map(({ address }) => address))]]
}

const allowed = [200, 200, 200]

describe("behind a trusted proxy", () => {
  it("clients are counted and logged by their own addresses", async () => {
    const url = urlOf(inner)
    expect(await ask(4, "127.0.0.7", url)).toEqual([[...allowed, 429], ["127.0.0.7"]])
    expect(await ask(3, "127.0.0.8", url)).toEqual([allowed, ["127.0.0.8"]])
  })

  it("nobody becomes another by what they send", async () => {
    const invented = (time: number) => `203.0.113.${time}`
    expect(await ask(4, "127.0.0.7", urlOf(inner), invented)).toEqual([[...allowed, 429], ["127.0.0.7"]])
    const asProxy = (time: number) => `203.0.113.${time}, 127.0.0.1`
    expect(await ask(1, "127.0.0.7", urlOf(inner), asProxy)).toEqual([[429], ["127.0.0.7"]])
    expect(await ask(1, "127.0.0.7", urlOf(inner), () => "no address,,[")).toEqual([[429], ["127.0.0.7"]])
  })

  it("which is behind another one, clients are found behind both", async () => {
    expect(await ask(4, "127.0.0.7", urlOf(outer), () => "203.0.113.1")).toEqual([[...allowed, 429], ["127.0.0.7"]])
  })

  it("clients of IPv6 are counted by the /64", async () => {
    const inOneNetwork = (time: number) => `2001:db8::${time + 1}`
    expect(await ask(4, "127.0.0.1", service.url, inOneNetwork)).toEqual([
      [...allowed, 429],
      ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4"]
    ])
    expect(await ask(1, "127.0.0.1", service.url, () => "2001:db8:0:1::1")).toEqual([[200], ["2001:db8:0:1::1"]])
  })

  it("who forwards no address is counted itself", async () => {
    expect(await ask(3, "127.0.0.1", service.url, () => "unknown")).toEqual([allowed, ["127.0.0.1"]])
    expect(await ask(1, "127.0.0.1", service.url)).toEqual([[429], ["127.0.0.1"]])
  })

  it("so it is for git", async () => {
    const lsRemote = async (header: string) => {
      const extra = `http.extraHeader=X-Forwarded-For: ${header}`
      const before = service.log.length
      const { stderr } = await gitClient(folder(), ["-c", extra, "ls-remote", `${service.url}/root/nothing.git`])
      await until(() => service.log.length > before)
      return [service.log.at(-1)?.address, service.log.at(-1)?.status, stderr.includes("error: 429")]
    }
    for (let time = 0; time < 3; time++) {
      expect(await lsRemote(`203.0.113.${time}, 198.51.100.1`)).toEqual(["198.51.100.1", 401, false])
    }
    expect(await lsRemote("203.0.113.9, 198.51.100.1")).toEqual(["198.51.100.1", 429, true])
    expect(await lsRemote("198.51.100.2")).toEqual(["198.51.100.2", 401, false])
  })
})

describe("a proxy that is not trusted", () => {
  it("is the client, whatever it forwards", async () => {
    expect(await ask(2, "127.0.0.7", urlOf(untrusted))).toEqual([[200, 200], ["127.0.0.3"]])
    expect(await ask(2, "127.0.0.8", urlOf(untrusted))).toEqual([[200, 429], ["127.0.0.3"]])
  })
})
