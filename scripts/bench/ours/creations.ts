import { Schema } from "effect"
import { serveRounds, timedLoops } from "../serveRounds.ts"
import { ask } from "../service.ts"

/** The arguments are the URL of the service, how many branches there are to merge and to merge into, and the projects that have them. */
const [url = "", sources = "0", targets = "0", ...projects] = process.argv.slice(2)

const Opened = Schema.Struct({ prepared_at: Schema.String, merge_status: Schema.Literal("can_be_merged") })

let opened = 0

/** Fails where it is not prepared when it is answered. */
const open = async (): Promise<void> => {
  const place = opened++
  const project = projects[place % projects.length]
  const pair = Math.floor(place / projects.length)
  const source_branch = `topic-${pair % Number(sources)}`
  const target_branch = `base-${Math.floor(pair / Number(sources)) % Number(targets)}`
  const body = { title: `Merge request ${place}`, source_branch, target_branch }
  Schema.decodeUnknownSync(Opened)(await ask({ url }, "POST", `/projects/${project}/merge_requests`, body))
}

serveRounds((round) => timedLoops(round, open))
