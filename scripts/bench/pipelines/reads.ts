import { Schema } from "effect"
import { rootToken } from "../service.ts"
import type { Read } from "../statements/besideStatements.ts"
import { pipelines, rare } from "./facts.ts"

const large = "/projects/1"
const readOf = (path: string, said = ""): Read => ({
  path,
  token: rootToken,
  said: `GET ${path.replaceAll("%5B%5D", "[]")}${said}`
})

/** Lists of the large project that have a row of their own. */
export const reads: ReadonlyArray<Read> = [
  readOf(`${large}/pipelines`),
  readOf(`${large}/pipelines?page=50`),
  readOf(`${large}/pipelines?scope=finished`),
  readOf(`${large}/pipelines?scope=branches`, ", 300 branches"),
  readOf(`${large}/pipelines?scope=tags`, ", 1,000 tags"),
  readOf(`${large}/pipelines?ref=main`),
  readOf(`${large}/pipelines?order_by=user_id`),
  readOf(`${large}/pipelines/${pipelines.ofLarge / 2}/jobs`),
  readOf(`${large}/jobs`),
  readOf(`${large}/jobs?scope%5B%5D=failed&scope%5B%5D=manual`),
  readOf(`${large}/pipeline_schedules`, ", 1,000 schedules"),
  readOf(`${large}/pipeline_schedules/1/pipelines`, ", 10,000 pipelines"),
  readOf(`${large}/pipeline_schedules/1/runs`, ", 10,000 runs")
]

const Created = Schema.Struct({ created_at: Schema.String, sha: Schema.String })
const Account = Schema.Struct({ username: Schema.String })

/** Every other filter and order, with values that few pipelines have, the oldest ones, and with values that none has. */
export const otherReads = async (get: (path: string) => Promise<unknown>): Promise<ReadonlyArray<Read>> => {
  const { created_at: oldest, sha } = Schema.decodeUnknownSync(Created)(await get(`${large}/pipelines/${rare.count}`))
  const { username } = Schema.decodeUnknownSync(Account)(await get("/users/2"))
  const values: Readonly<Record<string, ReadonlyArray<string>>> = {
    scope: ["running", "pending"],
    status: [rare.status, "running", "failed"],
    ref: [rare.ref, "none"],
    sha: [sha, "0".repeat(40)],
    source: [rare.source, "chat", "web"],
    username: [username, "nobody"],
    name: [rare.name, "None", "Nightly build"],
    yaml_errors: ["true", "false"],
    updated_after: [oldest, "2100-01-01T00:00:00Z"],
    updated_before: [oldest],
    created_after: [oldest, "2100-01-01T00:00:00Z"],
    created_before: [oldest],
    order_by: ["status", "ref", "updated_at", "id&sort=asc", `updated_at&status=${rare.status}`]
  }
  return Object.entries(values).flatMap(([name, each]) => each.map((value) => readOf(`${large}/pipelines?${name}=${value}`)))
}
