import { answerRounds, timedSteps } from "../answerRounds.ts"
import { request } from "../requests.ts"

/** URLs to ask for, one after the other. */
const urls = process.argv.slice(2)

answerRounds((round) => timedSteps(round, (_, index) => request(urls[index % urls.length] ?? "")))
