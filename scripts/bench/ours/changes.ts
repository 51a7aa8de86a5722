import { Schema } from "effect"
import { request } from "../requests.ts"
import { serveRounds, timedLoops } from "../serveRounds.ts"
import { ask } from "../service.ts"

/** The arguments are the URL of the service, and the cluster that is changed; without one, each round makes a new one. */
const [url = "", known] = process.argv.slice(2)

const Made = Schema.Struct({ id: Schema.Int })

let made = 0
const newCluster = async (): Promise<string> => {
  const name = `of-process-${process.pid}-${made++}`
  const platform_kubernetes_attributes = { api_url: "https://cluster.example.org", token: "token-of-the-benchmark" }
  const body = await ask({ url }, "POST", "/admin/clusters/add", {
    name,
    environment_scope: name,
    platform_kubernetes_attributes
  })
  return String(Schema.decodeUnknownSync(Made)(body).id)
}

/** Each change is another name. */
serveRounds(async (round) => {
  const cluster = `${url}/admin/clusters/${known ?? (await newCluster())}`
  return timedLoops(round, (loop, index) =>
    request(cluster, { method: "PUT", body: { name: `change ${index} of writer ${loop}` } })
  )
})
