import autocannon from "autocannon"
import { serveRounds } from "../serveRounds.ts"

/** The arguments are the URL, and for each connection in turn a path and a token, as JSON. */
const [url = "", ...texts] = process.argv.slice(2)
const callers: ReadonlyArray<{ readonly path: string; readonly token: string }> = texts.map((text) => JSON.parse(text))

serveRounds(async ({ millis, parallel }) => {
  let connections = 0
  const result = await autocannon({
    url,
    connections: parallel,
    duration: millis / 1000,
    setupClient: (client) => {
      const { path, token = "" } = callers[connections++ % callers.length] ?? {}
      client.setRequests([{ method: "GET", path, headers: { "private-token": token } }])
    }
  })
  if (result.non2xx + result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return { rate: result["2xx"] / result.duration, p99: result.latency.p99 }
})
