import autocannon from "autocannon"
import { answerRounds } from "../answerRounds.ts"

/** A URL to load, and tokens for its connections, one after the other. */
const [url = "", ...tokens] = process.argv.slice(2)

answerRounds(async ({ millis, parallel }) => {
  let connections = 0
  const result = await autocannon({
    url,
    connections: parallel,
    duration: millis / 1000,
    setupClient: (client) => client.setHeaders({ "private-token": tokens[connections++ % tokens.length] ?? "" })
  })
  if (result.non2xx + result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return { rate: result["2xx"] / result.duration, p99: result.latency.p99 }
})
