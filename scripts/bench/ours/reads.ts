import { request } from "../requests.ts"
import { serveRounds, timedSteps } from "../serveRounds.ts"

const [url = "", token = ""] = process.argv.slice(2)

serveRounds((round) => timedSteps(round, () => request(url, { method: "GET", token })))
