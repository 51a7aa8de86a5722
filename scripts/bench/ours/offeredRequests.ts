import { answerRounds, offeredSteps } from "../answerRounds.ts"
import { request } from "../requests.ts"

const [url = ""] = process.argv.slice(2)

answerRounds((round) => offeredSteps(round, () => request(url)))
