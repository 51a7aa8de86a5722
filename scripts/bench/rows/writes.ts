import { Effect, Schema } from "effect"
import { ClusterEvent, clusterCodec } from "#src/clusters/events.ts"
import { clusterStream } from "#src/clusters/ids.ts"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import type { Databases } from "../database.ts"
import { figureOf, measureBoth, type Row } from "../figures.ts"
import { storeAt } from "../ours/store.ts"
import { request } from "../requests.ts"
import { withRunners } from "../runners.ts"
import { ask, type Service, withService } from "../service.ts"

const historyLength = 10_000
const batchSize = 500
const atOnce = 64

/** A thing that is changed at the path to which its id is added. */
export interface Thing {
  readonly kind: "cluster" | "group" | "project" | "user"
  readonly path: string
  readonly attribute: "description" | "name"
  readonly madeAt: string
  readonly make: (name: string) => object
}

const platform_kubernetes_attributes = { api_url: "https://cluster.example.org", token: "token-of-the-benchmark" }

const cluster: Thing = {
  kind: "cluster",
  path: "/admin/clusters",
  attribute: "name",
  madeAt: "/admin/clusters/add",
  make: (name) => ({ name, environment_scope: name, platform_kubernetes_attributes })
}
export const things: ReadonlyArray<Thing> = [
  cluster,
  {
    kind: "user",
    path: "/users",
    attribute: "name",
    madeAt: "/users",
    make: (name) => ({ username: name, name, email: `${name}@example.com`, force_random_password: true })
  },
  { kind: "group", path: "/groups", attribute: "description", madeAt: "/groups", make: (name) => ({ name, path: name }) },
  { kind: "project", path: "/projects", attribute: "description", madeAt: "/projects", make: (name) => ({ name }) }
]

/** Processes of the service on one database. */
interface Running {
  readonly first: Service
  readonly services: ReadonlyArray<Service>
  readonly databaseUrl: string
}

const Made = Schema.Struct({ id: Schema.Int })

/** Makes a thing as root; answers its id. */
export const newThing = async ({ url }: Service, { make, madeAt }: Thing, name: string): Promise<number> =>
  Schema.decodeUnknownSync(Made)(await ask({ url }, "POST", madeAt, make(name))).id

const inLog = <A>(url: string, effect: Effect.Effect<A, never, EventStore>): Promise<A> =>
  Effect.runPromise(Effect.scoped(Effect.provide(effect, storeAt(url))))

const lengthOf = (stream: string) => EventStore.use((store) => store.read(stream)).pipe(Effect.map((events) => events.length))

/** How many of the requests were refused that all callers sent at once, by turns to the processes. */
const refusedOf = async ({ services }: Running, send: (url: string, index: number) => Promise<void>): Promise<number> => {
  const sent = Array.from({ length: atOnce }, (_, index) => send(services[index % services.length]?.url ?? "", index))
  return (await Promise.allSettled(sent)).filter(({ status }) => status === "rejected").length
}

/** How many changes of one thing were refused, or left no event. */
const missingChanges = async (running: Running, thing: Thing): Promise<number> => {
  const id = await newThing(running.first, thing, `${thing.kind}-shared-by-${running.services.length}`)
  const length = () => inLog(running.databaseUrl, lengthOf(`${thing.kind}-${id}`))
  const before = await length()
  const refused = await refusedOf(running, (url, index) =>
    request(`${url}${thing.path}/${id}`, { method: "PUT", body: { [thing.attribute]: `change ${index}` } })
  )
  return Math.max(refused, before + atOnce - (await length()))
}

const Sequence = Schema.Struct({ count: Schema.Int })

/** How many commits to one branch were refused, or are not in it. */
const missingCommits = async (running: Running): Promise<number> => {
  const { first, services } = running
  const body = { name: `committed-by-${services.length}`, initialize_with_readme: true }
  const { id } = Schema.decodeUnknownSync(Made)(await ask(first, "POST", "/projects", body))
  const path = `/projects/${id}/repository/commits`
  const refused = await refusedOf(running, (url, index) => {
    const actions = [{ action: "create", file_path: `file-${index}`, content: "content" }]
    return request(`${url}${path}`, { method: "POST", body: { branch: "main", commit_message: `Add ${index}`, actions } })
  })
  const { count } = Schema.decodeUnknownSync(Sequence)(await ask(first, "GET", `${path}/main/sequence`))
  return Math.max(refused, 1 + atOnce - count)
}

const missingRows = async (running: Running): Promise<ReadonlyArray<Row>> => {
  const from = running.services.length === 1 ? "one process" : `${running.services.length} processes`
  let changes = 0
  for (const thing of things) changes += await missingChanges(running, thing)
  return [
    {
      name: `changes refused or lost, of ${atOnce} at once of one ${things.map(({ kind }) => kind).join(", one ")}, from ${from}`,
      unit: "changes",
      ours: figureOf([changes]),
      target: { max: 0 }
    },
    {
      name: `commits refused or lost, of ${atOnce} at once to one branch, from ${from}`,
      unit: "commits",
      ours: figureOf([await missingCommits(running)]),
      target: { max: 0 }
    }
  ]
}

/** Gives a cluster a past of so many changes. */
const addHistory = Effect.fnUntraced(function* (id: number) {
  const store = yield* EventStore
  const metadata = { actor: "user:1", commandId: uuidV7(), correlationId: uuidV7() }
  const change = (index: number) => ({
    ...clusterCodec.encode(ClusterEvent.cases.ClusterChanged.make({ changes: { name: `before ${index}` } })),
    id: uuidV7(),
    metadata
  })
  for (let index = 0; index < historyLength; index += batchSize) {
    const events = Array.from({ length: batchSize }, (_, offset) => change(index + offset))
    yield* Effect.orDie(store.append(clusterStream(id), "any", events))
  }
})

/** Changes of one cluster with a long history, beside one that is new in each round. */
const rateRows = async ({ databaseUrl, first }: Running): Promise<ReadonlyArray<Row>> => {
  const id = await newThing(first, cluster, "old")
  await inLog(databaseUrl, addHistory(id))
  return withRunners(async (start) => {
    const [old, fresh] = [await start("ours/changes.ts", first.url, String(id)), await start("ours/changes.ts", first.url)]
    const rows: Array<Row> = []
    for (const [writers, said] of [
      [1, "1 writer"],
      [16, "16 writers"]
    ] as const) {
      const rates = await measureBoth(old, fresh, { parallel: writers, millis: 1_000, rounds: 7 })
      const name = `changes of one stream of 10,000 events, ${said} (peer: a new stream)`
      rows.push({ name, unit: "/s", ...rates, target: { ratio: 0.8 } })
    }
    return rows
  })
}

/** Writers that meet at one thing, and things with a long history. */
export const writeRows = async (databases: Databases, folder: string): Promise<ReadonlyArray<Row>> => {
  const databaseUrl = await databases.empty("writes_ours")
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: `${folder}/writes` }
  return withService(settings, async (first) => {
    const alone = { first, services: [first], databaseUrl }
    const rows = [...(await rateRows(alone)), ...(await missingRows(alone))]
    const beside = await withService(settings, (second) => missingRows({ ...alone, services: [first, second] }))
    return [...rows, ...beside]
  })
}
