import { request } from "../requests.ts"
import { offeredSteps, serveRounds } from "../serveRounds.ts"

const [url = ""] = process.argv.slice(2)

serveRounds((round) => offeredSteps(round, () => request(url)))
