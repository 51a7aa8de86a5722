import { beforeAll, describe, expect, it } from "vitest"
import { useStubbornClients } from "#test/support/processes/stubbornClients.ts"
import { takenIn } from "#test/support/processes/taken.ts"
import { rootToken, useService } from "#test/support/service.ts"

const service = useService({ CLIENT_IDLE_TIMEOUT: "1" })
const open = useStubbornClients()
/** Far below what a connection may take that is not let go. */
const timeout = 15_000

beforeAll(async () => {
  await service.request("POST", "/projects", { json: { name: "p", initialize_with_readme: true } })
})

const request = (method: string, path: string, headers: ReadonlyArray<string> = [], body = "") =>
  [`${method} ${path} HTTP/1.1`, "Host: x", ...headers, "", body].join("\r\n")

const token = `PRIVATE-TOKEN: ${rootToken}`
const json = "Content-Type: application/json"
const commits = "/api/v4/projects/root%2Fp/repository/commits"
const gitHeaders = (program: string) => [
  `Content-Type: application/x-${program}-request`,
  `Authorization: Basic ${btoa(`root:${rootToken}`)}`,
  "Content-Length: 100"
]

const statusAndHeaders = (answer: string) => [answer.split(" ", 2)[1], /^connection: (.*)\r$/im.exec(answer)?.[1]]

/** What clients are told that begin a body and do not go on, once the service holds nothing of their connections any more. */
const standStill = (bodies: Readonly<Record<string, string>>) =>
  Promise.all(
    Object.entries(bodies).map(async ([name, text]) => {
      const client = await open(service.url, text)
      const answer = await client.heard()
      await client.letGo()
      return [name, ...statusAndHeaders(answer)]
    })
  )

it("a body that stands still ends its connection, which its client does not", { timeout }, async () => {
  const answers = await standStill({
    "before its first byte": request("POST", commits, [token, json, "Content-Length: 10"]),
    "in its middle": request("POST", commits, [token, json, "Content-Length: 100000"], "{"),
    "between chunks": request("PUT", "/api/v4/users/1", [token, json, "Transfer-Encoding: chunked"], "1\r\n{\r\n"),
    "of nobody": request("POST", "/api/v4/users", [json, "Content-Length: 10"], "{"),
    "of a fetch": request("POST", "/root/p.git/git-upload-pack", gitHeaders("git-upload-pack"), "00"),
    "of a push": request("POST", "/root/p.git/git-receive-pack", gitHeaders("git-receive-pack"), "00")
  })
  expect(answers.map((answer) => answer.slice(1))).toEqual(answers.map(() => ["408", "close"]))
  expect(await takenIn(service)).toEqual([])
})

it("a body that comes too slowly ends its connection", { timeout }, async () => {
  const client = await open(service.url, request("POST", commits, [token, json, "Content-Length: 100000"], "{"))
  // Two bytes in each tenth of the time that nothing at all may take.
  const sending = setInterval(() => client.socket.write("aa"), 100)
  expect(statusAndHeaders(await client.heard())).toEqual(["408", "close"])
  clearInterval(sending)
  await client.letGo()
})

describe("a client that does not close its connection loses it", { timeout }, () => {
  it("when what it sent is no request", async () => {
    const client = await open(service.url, "hello\r\n\r\n")
    expect(statusAndHeaders(await client.heard())).toEqual(["400", "close"])
    await client.letGo()
  })

  it("when it reads none of its answers", async () => {
    const client = await open(service.url, request("GET", "/-/openapi.json").repeat(100))
    await client.letGo()
  })
})
