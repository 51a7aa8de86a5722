import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { clusterAggregate } from "#src/clusters/aggregate.ts"
import type { ClusterQueries } from "#src/clusters/Queries.ts"
import { addCluster, changeCluster } from "#src/clusters/writes.ts"
import { handle } from "#src/platform/Commands.ts"
import type { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"
import { Secrets } from "#src/platform/secrets/Secrets.ts"
import { field } from "#test/support/exactly.ts"
import { answerOf, type Received } from "#test/support/service.ts"
import { settings } from "./samples.ts"
import { complete, idOf, onPlatform, scopeTaken, useClusters } from "./useClusters.ts"

const { service, add, addWith, addScope, put, read, remove } = useClusters()

const countOf = (answers: ReadonlyArray<Received>, status: number) => answers.filter((it) => it.status === status).length
const refusal = [400, scopeTaken]

it("without a scope only one cluster can be added", async () => {
  const first = await add({ json: complete })
  expect(first.status).toBe(201)
  expect(answerOf(await add({ json: complete }))).toEqual(refusal)
  await remove(idOf(first))
  expect((await add({ json: complete })).status).toBe(201)
})

it("twenty at once: exactly one gets the scope", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => addWith({ environment_scope: "wanted" })))
  expect([countOf(answers, 201), countOf(answers, 400)]).toEqual([1, 19])
  for (const answer of answers) if (answer.status === 400) expect(answer.body).toEqual(scopeTaken)
  const { body } = await service.request("GET", "/admin/clusters")
  expect(body).toEqual(expect.arrayContaining([answers.find(({ status }) => status === 201)?.body]))
})

it("twenty with scopes of their own at once: all are added, with ids of their own", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => addWith({ environment_scope: `own-${n}` })))
  expect(countOf(answers, 201)).toBe(20)
  expect(new Set(answers.map(idOf)).size).toBe(20)
})

it("ten clusters that move to one scope at once: exactly one gets it", async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, (_, n) => addScope(`mover-${n}`)))
  const answers = await Promise.all(ids.map((id) => put(id, { json: { environment_scope: "meeting-point" } })))
  expect([countOf(answers, 200), countOf(answers, 400)]).toEqual([1, 9])
})

it.each<[string, object]>([
  ["of a blank name", { ...complete, name: "" }],
  ["of a blank token", onPlatform({ token: "" })],
  ["of a wrong domain", { ...complete, domain: "-" }],
  ["of an unknown project", { ...complete, management_project_id: 5 }],
  ["of a missing name", { platform_kubernetes_attributes: { api_url: "https://k8s.example.com", token: "t" } }]
])("an addition that fails because %s keeps no scope", async (reason, json) => {
  const environment_scope = reason.replaceAll(" ", "-")
  expect((await add({ json: { ...json, environment_scope } })).status).toBe(400)
  expect((await addWith({ environment_scope })).status).toBe(201)
})

it("a change that fails keeps no scope, and leaves the one before", async () => {
  const id = await addScope("before")
  expect((await put(id, { json: { environment_scope: "after", name: "" } })).status).toBe(400)
  expect((await addWith({ environment_scope: "after" })).status).toBe(201)
  expect(answerOf(await addWith({ environment_scope: "before" }))).toEqual(refusal)
})

it("a change of scope takes the new one and gives the old one back", async () => {
  const [first, second] = [await addScope("first"), await addScope("second")]
  const move = (id: number, environment_scope: string) => put(id, { json: { environment_scope } })
  expect(answerOf(await move(second, "first"))).toEqual(refusal)
  expect((await move(first, "third")).status).toBe(200)
  expect((await move(second, "first")).status).toBe(200)
  expect((await move(first, "second")).status).toBe(200)
  expect(answerOf(await addWith({ environment_scope: "second" }))).toEqual(refusal)
  expect((await addWith({ environment_scope: "third" })).status).toBe(201)
})

it("a change that names the present scope does not bring it back when another change gave it away meanwhile", async () => {
  const id = await addScope("given-away")
  const overtaken = Effect.gen(function* () {
    const [secrets, context] = [yield* Secrets, yield* Effect.context<ClusterQueries | EventStore | Secrets>()]
    const other = Effect.provide(Effect.orDie(changeCluster(id, { environmentScope: "taken-instead" }, null)), context)
    // The token is looked at between reading the cluster and changing it.
    const open: typeof secrets.open = (...sealed) => Effect.andThen(other, secrets.open(...sealed))
    const change = changeCluster(id, { environmentScope: "given-away", name: "renamed" }, "token")
    const { position } = yield* Effect.provideService(change, Secrets, { ...secrets, open })
    yield* Projections.use((projections) => projections.awaitPosition(position))
  })
  await service.run(overtaken)
  const { body } = await read(id)
  expect([field(body, "environment_scope"), field(body, "name")]).toEqual(["taken-instead", "renamed"])
  expect((await addWith({ environment_scope: "given-away" })).status).toBe(201)
})

it("scopes are compared exactly", async () => {
  await addScope("case")
  expect((await addWith({ environment_scope: "Case" })).status).toBe(201)
})

it("a scope whose cluster was removed without giving it back is free again after half a minute", async () => {
  const id = await addScope("abandoned")
  await service.run(
    Effect.gen(function* () {
      const { position } = yield* handle(clusterAggregate, id, { _tag: "Remove" })
      yield* Projections.use((projections) => projections.awaitPosition(position))
    })
  )
  expect(answerOf(await addWith({ environment_scope: "abandoned" }))).toEqual(refusal)
  const input = { settings: { ...settings, environmentScope: "abandoned" }, authorizationType: "rbac", addedBy: 1 } as const
  const later = Effect.gen(function* () {
    yield* TestClock.setTime(Date.now() + 30_000)
    return yield* addCluster(input, "token")
  }).pipe(Effect.provide(TestClock.layer()))
  expect((await service.run(later)).events).toHaveLength(1)
})
