import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterAll, beforeAll, expect, it } from "vitest"
import { drain } from "#src/platform/drain.ts"

const mebibyte = 1024 * 1024
const piece = Buffer.alloc(256 * 1024, "x")

/** Answers each request at once, whatever its body is. */
const server: Server = createServer((request, response) => {
  drain(request, 64 * mebibyte)
  response.end("refused")
})
beforeAll(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const open = async (): Promise<Socket> => {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
  socket.on("error", () => {})
  await once(socket, "connect")
  return socket
}

const head = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`
const timers = () => process.getActiveResourcesInfo().filter((type) => type === "Timeout").length

/** Sends the beginning of a body, reads the answer and breaks the connection. */
const breakOff = async (): Promise<void> => {
  const serving = once(server, "connection")
  const socket = await open()
  const [served]: Array<Socket> = await serving
  // An end amid a body is an error to the parser, which `once` would throw.
  const ended = new Promise((resolve) => served?.once("close", resolve))
  socket.write(head(16 * mebibyte))
  await once(socket, "data")
  socket.write(piece)
  socket.destroy()
  await ended
}

it("keeps nothing of connections that break amid the rest of a body", async () => {
  const before = timers()
  for (let count = 0; count < 80; count++) await breakOff()
  expect(timers()).toBeLessThanOrEqual(before)
})

it("still takes the rest of a body after many of them, so that the connection serves the next request", async () => {
  for (let count = 0; count < 80; count++) await breakOff()
  const socket = await open()
  const texts: Array<string> = []
  socket.on("data", (chunk: Buffer) => texts.push(chunk.toString("latin1")))
  socket.write(head(mebibyte))
  for (let sent = 0; sent < mebibyte; sent += piece.length) socket.write(piece)
  socket.write("GET /again HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
  await once(socket, "close")
  expect(texts.join("").match(/refused/g)).toEqual(["refused", "refused"])
})
