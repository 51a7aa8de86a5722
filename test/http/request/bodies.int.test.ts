import { once } from "node:events"
import type { Socket } from "node:net"
import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { openSocket, type RawAnswer, rawRequest } from "#test/support/requests/rawRequest.ts"
import { rootToken, useService } from "#test/support/service.ts"

const service = useService()
const mebibyte = 1024 * 1024
const credentialBytes = 64 * 1024
let ann = ""

beforeAll(async () => {
  await service.request("POST", "/projects", { json: { name: "p", initialize_with_readme: true } })
  ann = (await issueTokenFor(service, await createUser(service, "ann"))).text
})

const commits = "/projects/root%2Fp/repository/commits"
const unauthorized = { message: "401 Unauthorized" }
const tooLarge = { message: "413 Request Entity Too Large" }

interface Announced {
  readonly token?: string | null
  readonly path?: string
  /** Default: 16 MiB. */
  readonly length?: number
  /** What is sent of the body. */
  readonly sent?: string
}

const announcement = ({ length = 16 * mebibyte, path = commits, sent = "", token = rootToken }: Announced): string =>
  [
    `POST /api/v4${path} HTTP/1.1`,
    "Host: x",
    "Connection: close",
    "Content-Type: application/json",
    ...(token === null ? [] : [`PRIVATE-TOKEN: ${token}`]),
    `Content-Length: ${length}`,
    "",
    sent
  ].join("\r\n")

const outcome = ({ body, status }: RawAnswer): unknown => [status, JSON.parse(body)]

/** The answer to a request whose body is announced and does not come. */
const answerTo = async (announced: Announced) => outcome(await rawRequest(service.url, announcement(announced)))

const json = (bytes: number, fields: Readonly<Record<string, unknown>> = {}): string => {
  const text = JSON.stringify({ ...fields, unknown: "" })
  return `${text.slice(0, -2)}${"a".repeat(bytes - text.length)}"}`
}

const post = async (path: string, body: string, token: string | null = rootToken) => {
  const headers = { "content-type": "application/json", ...(token === null ? {} : { "private-token": token }) }
  const answer = await fetch(`${service.url}/api/v4${path}`, { method: "POST", headers, body })
  return [answer.status, await answer.json()]
}

describe("a body is not read", () => {
  it.each<readonly [string, () => Announced, unknown]>([
    ["of nobody, when it is large", () => ({ token: null }), [401, unauthorized]],
    [
      "of nobody, when it is too large to hold a token",
      () => ({ token: null, length: credentialBytes + 1 }),
      [401, unauthorized]
    ],
    ["with an unknown token, however small", () => ({ token: "unknown", length: 2 }), [401, unauthorized]],
    [
      "of who may not use the endpoint",
      () => ({ token: ann, path: "/admin/clusters/add", length: 2 }),
      [403, { message: "403 Forbidden" }]
    ],
    ["for a project that the caller may not see", () => ({ token: ann }), [404, { message: "404 Project Not Found" }]],
    ["above 1 MiB, where it carries no content", () => ({ path: "/users", length: mebibyte + 1 }), [413, tooLarge]],
    ["above 16 MiB, where it does", () => ({ length: 16 * mebibyte + 1 }), [413, tooLarge]]
  ])("%s", async (_, announced, expected) => {
    expect(await answerTo(announced())).toEqual(expected)
  })
})

describe("a body is read", () => {
  const missing = "branch is missing, branch is empty, commit_message is missing, commit_message is empty, actions is missing"

  it("of 16 MiB where it carries content", async () => {
    expect(await post(commits, json(16 * mebibyte))).toEqual([400, { error: missing }])
  })

  it("for the token in it, up to 64 KiB", async () => {
    expect(await post(commits, json(credentialBytes, { private_token: rootToken }), null)).toEqual([400, { error: missing }])
    expect(await post(commits, json(credentialBytes + 1, { private_token: rootToken }), null)).toEqual([401, unauthorized])
    expect(await post(commits, json(credentialBytes, { private_token: "unknown" }), null)).toEqual([401, unauthorized])
  })

  it("for another caller than the header names, up to 64 KiB", async () => {
    const notFound = [404, { message: "404 Project Not Found" }]
    expect(await post(commits, json(1000, { private_token: ann }))).toEqual(notFound)
    expect(await post(commits, json(1000, { sudo: "ann" }))).toEqual(notFound)
    expect(await post(commits, json(credentialBytes + 1, { private_token: ann }))).toEqual([400, { error: missing }])
    expect(await post(commits, json(credentialBytes + 1, { sudo: "ann" }))).toEqual([
      400,
      { error: "sudo is only looked for in small bodies: send it as a header or in the query" }
    ])
  })
})

describe("bodies that stand still", () => {
  const sockets: Array<Socket> = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })

  /** Announces a body, sends a part of it once the service asks for it, and nothing more. */
  const stall = async ({ from, sent = "{", ...announced }: Announced & { readonly from?: string }) => {
    const socket = openSocket(service.url, from)
    sockets.push(socket)
    socket.on("error", () => {})
    socket.write(announcement({ ...announced, sent: "" }).replace("Connection: close", "Expect: 100-continue"))
    const [first] = await once(socket, "data")
    socket.write(sent)
    return String(first).slice(0, 12)
  }
  const goOn = "HTTP/1.1 100"
  const busy = [503, { message: "503 Service Unavailable - too much is being sent to the service" }]
  const rename = (description: string) => service.request("PUT", "/projects/root%2Fp", { json: { description } })
  const isRenamed = async (description: string) => (await rename(description)).status
  const badCommit = [
    400,
    { error: "branch is missing, branch is empty, commit_message is missing, commit_message is empty, actions is missing" }
  ]

  it("take what they have sent, not what they announce", async () => {
    for (let index = 0; index < 8; index++) expect(await stall({})).toBe(goOn)
    expect(await post(commits, json(16 * mebibyte - 64 * 1024))).toEqual(badCommit)
  })

  it("of one caller have a share of the memory, which is free again with the connection", async () => {
    const untilBusy = async () => {
      await stall({ sent: "a".repeat(16 * mebibyte - 1) })
      return post(commits, json(16 * mebibyte))
    }
    await expect.poll(untilBusy, { timeout: 20_000 }).toEqual(busy)
    expect(await isRenamed("of a small body")).toBe(200)
    expect((await service.request("GET", "/user")).status).toBe(200)
    const other = await service.request("POST", "/user/keys", { token: ann, json: {} })
    expect(other.status).toBe(400)
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => post(commits, json(16 * mebibyte)), { timeout: 20_000 }).toEqual(badCommit)
  })

  it("tell when to come again", async () => {
    const untilBusy = async () => {
      await stall({ sent: "a".repeat(16 * mebibyte - 1) })
      const { headers, status } = await rawRequest(service.url, announcement({ sent: json(16 * mebibyte) }))
      return [status, headers["retry-after"]]
    }
    await expect.poll(untilBusy, { timeout: 20_000 }).toEqual([503, "1"])
  })

  const addresses = Array.from({ length: 9 }, (_, index) => `127.0.0.${index + 2}`)

  it("of nobody, with a byte each, keep nobody from small writes", async () => {
    const stalled = addresses.flatMap((from) =>
      Array.from({ length: 64 }, () => stall({ from, token: null, path: "/users", length: credentialBytes }))
    )
    expect(new Set(await Promise.all(stalled))).toEqual(new Set([goOn]))
    expect(await isRenamed("beside them")).toBe(200)
    expect(await post("/users", "{}", null)).toEqual([401, unauthorized])
  })

  it("of nobody take no memory from users, however much they send", async () => {
    const sent = "a".repeat(credentialBytes - 1)
    const fill = () =>
      Promise.all(
        addresses.flatMap((from) =>
          Array.from({ length: 32 }, () => stall({ from, token: null, path: "/users", length: credentialBytes, sent }))
        )
      )
    const untilBusy = async () => {
      await fill()
      return post("/users", json(credentialBytes), null)
    }
    await expect.poll(untilBusy, { timeout: 20_000 }).toEqual(busy)
    expect(await isRenamed("beside much")).toBe(200)
  })
})
