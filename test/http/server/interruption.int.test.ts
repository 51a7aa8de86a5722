import type { Socket } from "node:net"
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { holdUsers } from "#test/support/people/holdUsers.ts"
import { openSocket } from "#test/support/requests/rawRequest.ts"
import { requestEvents } from "#test/support/requests/requestEvents.ts"
import { rootToken, useService } from "#test/support/service.ts"

const service = useService()
const written = () => requestEvents(service)

/** What the service says beyond its request log. */
let noise: ReadonlyArray<MockInstance> = []
beforeEach(() => {
  noise = [vi.spyOn(console, "log"), vi.spyOn(console, "error"), vi.spyOn(console, "warn")]
})
afterEach(() => {
  const said = noise.flatMap(({ mock }) => mock.calls)
  vi.restoreAllMocks()
  expect(said).toEqual([])
})

/** Status of the answer that is kept for a repeat; null while there is none. */
const rememberedStatus = (key: string) =>
  service.run(
    Sql.use(({ client }) =>
      query(async () => {
        const [row] = await client<Array<{ status: number | null }>>`
          select status from chronoforge.idempotent_answers where key = ${key}`
        return row?.status
      })
    )
  )

const start = (method: string, path: string, headers: string, body = ""): Socket => {
  const socket = openSocket(service.url)
  socket.write(`${method} /api/v4${path} HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${rootToken}\r\n${headers}\r\n${body}`)
  return socket
}
const json = (length: number) => `Content-Type: application/json\r\nContent-Length: ${length}\r\n`

/** Until nothing is being sent to or from the service but what this asks. */
const settled = () =>
  expect.poll(async () => (await service.request("GET", "/-/metrics")).body).toEqual(expect.stringContaining("chronoforge_"))

describe("a client that goes away", () => {
  it("in the middle of a body changes nothing", async () => {
    const before = await written()
    const body = '{"note":"half'
    const socket = start("PUT", "/users/1", json(100), body)
    await new Promise((resolve) => socket.once("connect", resolve))
    await service.request("GET", "/version")
    socket.destroy()
    await settled()
    expect([await written(), service.log.filter(({ status }) => status >= 500)]).toEqual([before, []])
  })

  it("after a whole write leaves a whole write, and its repeat gets the answer", async () => {
    const release = await holdUsers(service)
    const before = await written()
    const body = '{"note":"whole"}'
    const socket = start("PUT", "/users/1", `${json(body.length)}Idempotency-Key: left\r\n`, body)
    await expect.poll(written).toBe(before + 1)
    socket.destroy()
    await release()
    await expect.poll(() => rememberedStatus("left")).toBe(200)
    await expect
      .poll(() => service.log.filter(({ status }) => status === 200).map(({ route }) => route))
      .toContain("users.update")
    const repeat = await service.request("PUT", "/users/1", {
      json: { note: "whole" },
      headers: { "idempotency-key": "left" }
    })
    expect([repeat.status, repeat.body, await written()]).toEqual([200, expect.objectContaining({ note: "whole" }), before + 1])
  })

  it("while a read waits ends the read, which the log tells; the write it waited for goes on", async () => {
    const release = await holdUsers(service)
    const [lines, before] = [service.log.length, await written()]
    const logged = () => service.log.slice(lines).map(({ route, status }) => [route, status])
    const writing = service.request("PUT", "/users/1", { json: { note: "held" } })
    await expect.poll(written).toBe(before + 1)
    const position = await service.run(EventStore.use((store) => store.head))
    const socket = start("GET", "/user", `If-Consistent-With: ${position}\r\n`)
    await new Promise((resolve) => socket.once("connect", resolve))
    await service.request("GET", "/version")
    socket.destroy()
    const soFar = [
      ["metadata.version", 200],
      ["users.current", 499]
    ]
    await expect.poll(logged).toEqual(soFar)
    await release()
    expect((await writing).status).toBe(200)
    expect(logged()).toEqual([...soFar, ["users.update", 200]])
  })

  it("with many requests under way leaves a service that answers", async () => {
    const sockets = Array.from({ length: 50 }, (_, index) =>
      index % 2 === 0 ? start("GET", "/users", "") : start("PUT", "/users/1", json(50), '{"note":')
    )
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve))))
    for (const socket of sockets) socket.destroy()
    await settled()
    const answer = await service.request("GET", "/user")
    expect([answer.status, service.log.filter(({ status }) => status >= 500)]).toEqual([200, []])
  })
})
