import { once } from "node:events"
import { connect } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { mebibyte } from "#src/kernel/units.ts"
import { rawRequest } from "#test/support/requests/rawRequest.ts"
import { answerOf, rootToken } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"
import { useUploads } from "./useUploads.ts"

const { ask, drafts, newProject, path, secretsOf, service, upload } = useUploads({
  MAX_ATTACHMENT_SIZE: "1",
  CLIENT_IDLE_TIMEOUT: "1"
})

afterEach(async () => {
  await until(async () => (await drafts()).length === 0)
})

const boundary = "limit"
/** A part of a form, with its disposition as it is sent. */
const part = (disposition: string, content = "content") =>
  `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
const end = `--${boundary}--\r\n`

const post = async (id: number, body: string | Uint8Array<ArrayBuffer>, type = `multipart/form-data; boundary=${boundary}`) => {
  const response = await fetch(`${service.url}/api/v4${path(id)}`, {
    method: "POST",
    headers: { "private-token": rootToken, "content-type": type },
    body
  })
  const text = await response.text()
  return [response.status, JSON.parse(text)]
}

const missing = [400, { error: "file is missing" }]
const invalid = [400, { error: "file is invalid" }]
const malformed = [400, { error: "the multipart body is malformed" }]

const file = part('name="file"; filename="a.txt"')

describe("what is refused leaves nothing", () => {
  it.each<[string, string, ReadonlyArray<unknown>]>([
    ["no part", end, missing],
    ["another part", part('name="other"; filename="a.txt"') + end, missing],
    ["a part of no name", part('filename="a.txt"') + end, malformed],
    ["a text for a file", part('name="file"') + end, invalid],
    ["a file that was not chosen", part('name="file"; filename=""', "") + end, missing],
    ["two files", file + file + end, invalid],
    ["a text behind the file", file + part('name="file"') + end, invalid],
    ["no end", file, malformed],
    ["no header", `--${boundary}\r\n\r\ncontent\r\n${end}`, malformed],
    ["a header that is none", `--${boundary}\r\n: :\0\r\n\r\ncontent\r\n${end}`, malformed],
    ["a name that cannot be decoded", part("name=\"file\"; filename*=UTF-8''%ff") + end, malformed],
    [
      "10001 parts",
      part('name="x"', "").repeat(10_001) + end,
      [400, { error: "the request body has more than 10000 parameters" }]
    ],
    ["nothing", "", malformed],
    ["rubbish", "\0".repeat(100), malformed]
  ])("%s", async (name, body, answer) => {
    const id = await newProject(name)
    expect(await post(id, body)).toEqual(answer)
    expect([await secretsOf(id), await ask("GET", path(id))]).toEqual([[], [200, []]])
  })

  it.each<[string, ReadonlyArray<unknown>]>([
    ["multipart/form-data", malformed],
    ["application/json", missing],
    ["text/plain", missing],
    ["multipart/form-data-of-another-kind; boundary=limit", missing]
  ])("a body as %s", async (type, answer) => {
    const id = await newProject(`typed ${type.replace(/\W/g, "-")}`)
    expect(await post(id, file + end, type)).toEqual(answer)
    expect(await secretsOf(id)).toEqual([])
  })

  it("a file that is too large, whether its size is told or not", async () => {
    const id = await newProject("large")
    const tooLarge = [413, { message: "413 Request Entity Too Large" }]
    expect(answerOf(await upload(id, new File([new Uint8Array(3 * mebibyte)], "a.bin")))).toEqual(tooLarge)
    expect(answerOf(await upload(id, new File([new Uint8Array(mebibyte + 1)], "a.bin")))).toEqual(tooLarge)
    const head = `POST /api/v4${path(id)} HTTP/1.1\r\nhost: a\r\nprivate-token: ${rootToken}\r\nconnection: close\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\ntransfer-encoding: chunked\r\n\r\n`
    const opening = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`
    const chunk = `10000\r\n${"a".repeat(65_536)}\r\n`
    const sent = `${head}${opening.length.toString(16)}\r\n${opening}\r\n${chunk.repeat(20)}`
    const { body, status } = await rawRequest(service.url, sent)
    expect([status, JSON.parse(body)]).toEqual(tooLarge)
    expect([await secretsOf(id), await drafts()]).toEqual([[], []])
    expect((await upload(id, new File([new Uint8Array(mebibyte)], "a.bin"))).status).toBe(201)
  })

  it("a body that stands still, and one that is cut short", async () => {
    const id = await newProject("still")
    const head = `POST /api/v4${path(id)} HTTP/1.1\r\nhost: a\r\nprivate-token: ${rootToken}\r\nconnection: close\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\ncontent-length: 100000\r\n\r\n`
    const still = await rawRequest(service.url, head + file)
    expect([still.status, JSON.parse(still.body)]).toEqual([408, { error: "408 Request Timeout" }])
    const { port } = new URL(service.url)
    const socket = connect(Number(port), "127.0.0.1")
    socket.write(head + file)
    await until(async () => (await drafts()).length === 1)
    socket.destroy()
    await once(socket, "close")
    await until(async () => (await drafts()).length === 0)
    expect(await secretsOf(id)).toEqual([])
  })
})

describe("names", () => {
  it.each([
    ['filename="../../etc/passwd"', "passwd"],
    ['filename="..\\..\\windows\\system.ini"', "system.ini"],
    ["filename*=UTF-8''a%00b%2Fc%00d.txt", "c_d.txt"],
    [`filename="${"a".repeat(5_000)}.png"`, `${"a".repeat(251)}.png`],
    ['filename=".."', "_.."],
    ['filename="naïve.png"', "naïve.png"],
    ['filename="a](javascript:alert(1)).png"', "a__javascript_alert_1__.png"]
  ])("%s", async (disposition, name) => {
    const id = await newProject(`name ${disposition.replace(/[^a-z]/g, "-").slice(0, 60)}`)
    const [status, body] = await post(id, part(`name="file"; ${disposition}`) + end)
    expect([status, String(Object(body).url).split("/").at(-1)]).toEqual([201, name])
    const { filename } = Object(Object(await ask("GET", path(id)))[1][0])
    expect([filename, await secretsOf(id)]).toEqual([name, [String(Object(body).url).split("/")[2]]])
    expect(await ask("GET", path(id, `/${Object(body).id}`))).toEqual([200, "content"])
  })
})

it("a part that nobody wants takes no memory, and the file beside it is taken", async () => {
  const id = await newProject("beside")
  const large = part('name="other"', "a".repeat(900_000))
  expect((await post(id, large + file + large.slice(0, 90_000).concat("\r\n") + end))[0]).toBe(201)
})

it("who loses the right while the file comes adds nothing", async () => {
  const id = await newProject("lost")
  const { port } = new URL(service.url)
  const body = file + end
  const socket = connect(Number(port), "127.0.0.1")
  const answered = once(socket, "data")
  socket.write(
    `POST /api/v4${path(id)} HTTP/1.1\r\nhost: a\r\nprivate-token: ${rootToken}\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 60)}`
  )
  await until(async () => (await drafts()).length === 1)
  await service.request("POST", `/projects/${id}/archive`)
  socket.write(body.slice(60))
  const [data] = await answered
  socket.destroy()
  expect([String(data).split("\r\n")[0], await secretsOf(id)]).toEqual(["HTTP/1.1 403 Forbidden", []])
})
