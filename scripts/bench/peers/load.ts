import autocannon from "autocannon"
import { answerRounds } from "../answerRounds.ts"

const [url = "", token = ""] = process.argv.slice(2)

answerRounds(async ({ millis, parallel }) => {
  const result = await autocannon({ url, headers: { "private-token": token }, connections: parallel, duration: millis / 1000 })
  if (result.non2xx + result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return { rate: result["2xx"] / result.duration, p99: result.latency.p99 }
})
