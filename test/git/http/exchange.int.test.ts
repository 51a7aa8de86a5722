import { once } from "node:events"
import { createServer } from "node:http"
import { expect, it } from "vitest"
import { answerText, type Exchange, finish, send } from "#src/git/http/exchange.ts"

it.each([
  ["its end", (exchange: Exchange) => finish(exchange, Buffer.from("late"))],
  ["what git prints", (exchange: Exchange) => void send(exchange, "text/plain", Buffer.from("late"))]
])("an answer that has ended, as when the service stops, is not broken by %s", async (_name, late) => {
  const faults: Array<unknown> = []
  const server = createServer((request, response) => {
    response.on("error", (fault) => faults.push(fault))
    const exchange: Exchange = { request, response, gone: new AbortController().signal }
    answerText(exchange, 503, "The service stops.")
    // It has ended, but its bytes are not out yet.
    late(exchange)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const answer = await fetch(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`)
  expect([answer.status, await answer.text(), faults]).toEqual([503, "The service stops.\n", []])
  server.close()
})
