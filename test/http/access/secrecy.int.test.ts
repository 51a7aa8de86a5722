import { createServer, type Server } from "node:http"
import { afterAll, describe, expect, it } from "vitest"
import { jsonFormat, type LoggedRequest, prettyFormat } from "#src/platform/logging/logLine.ts"
import { listening } from "#test/support/processes/listening.ts"
import { rootToken, useService } from "#test/support/service.ts"

/** What a collector of traces was sent. */
const spans: Array<string> = []
const collector: Server = createServer((request, response) => {
  request.setEncoding("utf8")
  request.on("data", (text: string) => spans.push(text))
  request.on("end", () => response.end("{}"))
})

/** Starts the collector; the settings that have traces sent to it. */
const traced = async () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await listening(collector)}` })
afterAll(() => collector.close())

const secret = "s3cr3t-of-this-test"
let log: ReadonlyArray<LoggedRequest> = []

describe("a service that is traced", () => {
  const service = useService(traced)

  it("is sent secrets in every place", async () => {
    const answers = [
      await service.request("GET", "/user", { token: null, query: { private_token: rootToken } }),
      await service.request("GET", "/user", { token: secret }),
      await service.request("GET", "/user", { token: null, query: { access_token: secret } }),
      await service.request("GET", `/user?private_%74oken=${secret}`, { token: null }),
      await service.request("GET", `/nope?private_token=${secret}`),
      await service.request("GET", "/user", { token: null, headers: { authorization: `Bearer ${secret}` } }),
      await service.request("POST", "/users", { query: { password: secret } }),
      await service.request("POST", "/users", { json: { password: secret, username: "x", name: "x", email: "no address" } }),
      await service.request("POST", "/admin/clusters/add", { query: { "platform_kubernetes_attributes[token]": secret } })
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 401, 404, 401, 400, 400, 400])
    log = service.log
  })
})

describe("of them, there is nothing", () => {
  const hides = (text: string) => !text.includes(secret) && !text.includes(rootToken)

  it.each([
    ["JSON", jsonFormat],
    ["pretty", prettyFormat({ colours: false })]
  ])("in %s log lines", (_, format) => {
    const lines = log.map((line) => format.request(line, new Date(0)))
    expect(lines.length).toBe(9)
    expect(lines.filter((line) => !hides(line))).toEqual([])
  })

  it("in traces, which were all sent when the service ended", () => {
    const sent = spans.join("")
    expect(sent).toContain("GET users.current")
    expect(hides(sent)).toBe(true)
  })
})
