import { request } from "../requests.ts"
import { serveRounds, timedSteps } from "../serveRounds.ts"

/** URLs to ask for, one after the other. */
const urls = process.argv.slice(2)

serveRounds((round) => timedSteps(round, (_, index) => request(urls[index % urls.length] ?? "")))
