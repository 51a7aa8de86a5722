import { Effect } from "effect"
import { expect, it } from "vitest"
import { changeCluster, removeCluster } from "#src/clusters/writes.ts"
import type { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { jsonFormat, prettyFormat } from "#src/platform/logging/logLine.ts"
import { Secrets } from "#src/platform/secrets/Secrets.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import type { Received } from "#test/support/service.ts"
import { complete, idOf, onPlatform, shape, useClusters } from "./useClusters.ts"

const { service, add, addWith, eventTypes, keptToken, put, read, remove } = useClusters()

const platform = (fields: object) => ({ json: { platform_kubernetes_attributes: fields } })

const hasDataKey = (id: number) =>
  service.run(
    Sql.use(({ client }) =>
      query(() => client<Array<object>>`select 1 from chronoforge.data_keys where stream = ${`cluster-${id}`}`)
    ).pipe(Effect.map((rows) => rows.length > 0))
  )

it("a failed addition keeps no data key", async () => {
  const failures = [{ ...complete, name: "" }, onPlatform({ token: " " }), { ...complete, environment_scope: "" }]
  for (const json of failures) expect((await add({ json })).status).toBe(400)
  const stored = Sql.use(({ client }) => query(() => client<Array<object>>`select stream from chronoforge.data_keys`))
  expect(await service.run(stored)).toEqual([])
})

it("is trimmed and kept", async () => {
  const id = idOf(await add({ json: onPlatform({ token: " t \n" }) }))
  expect([await keptToken(id), await hasDataKey(id)]).toEqual(["t", true])
  await remove(id)
})

it("is replaced by another, and only by another", async () => {
  const id = idOf(await addWith({ environment_scope: "replaced" }))
  const unchanged = { ...shape, id, environment_scope: "replaced", project: null }
  for (const token of [" secret-token ", " ", "", null]) {
    const { body, status } = await put(id, platform({ token }))
    expect([status, body]).toEqual([200, unchanged])
  }
  expect([await keptToken(id), await eventTypes(id)]).toEqual(["secret-token", ["ClusterAdded"]])
  await put(id, platform({ token: "other" }))
  expect([await keptToken(id), await eventTypes(id)]).toEqual(["other", ["ClusterAdded", "ClusterTokenReplaced"]])
})

it("stays when a change is refused", async () => {
  const id = idOf(await addWith({ environment_scope: "refused" }))
  expect((await put(id, platform({ token: "other", ca_cert: "x" }))).status).toBe(400)
  expect([await keptToken(id), await eventTypes(id)]).toEqual(["secret-token", ["ClusterAdded"]])
})

it("stays readable for the right SECRET_KEY when a change under a wrong one is refused", async () => {
  const id = idOf(await addWith({ environment_scope: "wrong key" }))
  const sealed: Array<string> = []
  const replacing = Effect.gen(function* () {
    const secrets = yield* Secrets
    // Under a wrong key nothing can be opened, and sealing replaces the key.
    const wrong = Secrets.of({
      ...secrets,
      open: () => Effect.undefined,
      seal: (stream, secret) =>
        Effect.andThen(
          Effect.sync(() => sealed.push(stream)),
          secrets.seal(stream, secret)
        )
    })
    return yield* Effect.flip(Effect.provideService(changeCluster(id, { name: "" }, "other"), Secrets, wrong))
  })
  expect(await service.run(replacing)).toMatchObject({ _tag: "ClusterInvalid" })
  expect([sealed, await keptToken(id)]).toEqual([[], "secret-token"])
})

it("goes with its cluster: its data key is deleted", async () => {
  const id = idOf(await addWith({ environment_scope: "short-lived" }))
  expect(await hasDataKey(id)).toBe(true)
  expect((await remove(id)).status).toBe(204)
  expect(await hasDataKey(id)).toBe(false)
})

it("leaves no data key behind when its cluster is removed while it is replaced", async () => {
  const id = idOf(await addWith({ environment_scope: "overtaken" }))
  const replacing = Effect.gen(function* () {
    const secrets = yield* Secrets
    const removing = Effect.provide(Effect.ignore(removeCluster(id)), yield* Effect.context<EventStore | Secrets>())
    const overtaken = Secrets.of({
      ...secrets,
      seal: (stream, secret) => Effect.andThen(removing, secrets.seal(stream, secret))
    })
    return yield* Effect.flip(Effect.provideService(changeCluster(id, {}, "other"), Secrets, overtaken))
  })
  expect(await service.run(replacing)).toMatchObject({ _tag: "ClusterMissing" })
  expect(await hasDataKey(id)).toBe(false)
})

/** Every row of every table of the database, as text. */
const wholeDatabase = Sql.use(({ client }) =>
  query(async () => {
    const tables = await client<Array<{ readonly name: string }>>`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`
    const texts = await Promise.all(
      tables.map(({ name }) => client.unsafe<Array<{ readonly row: string }>>(`select t::text as row from ${name} t`))
    )
    return tables.map(({ name }, index) => [name, (texts[index] ?? []).map(({ row }) => row).join("\n")] as const)
  })
)

const secrets = ["first-s3cret", "second-s3cret", "refused-s3cret"]
const secretIn = (text: string) => secrets.filter((secret) => text.includes(secret))

it.each(requestForms)("appears nowhere when it was sent as %s", async (form, sent) => {
  const answers: Array<Received> = []
  const note = async (answer: Promise<Received>) => {
    answers.push(await answer)
    return answer
  }
  const fields = { ...onPlatform({ token: "first-s3cret" }), environment_scope: form }
  const once = { headers: { "idempotency-key": form } }
  const id = idOf(await note(add({ ...sent(fields), ...once })))
  await note(add({ ...sent(fields), ...once }))
  await note(add(sent({ ...fields, ...onPlatform({ token: "refused-s3cret", ca_cert: "x" }) })))
  await note(put(id, sent({ platform_kubernetes_attributes: { token: "second-s3cret" } })))
  await note(put(id, sent({ platform_kubernetes_attributes: { token: { x: "refused-s3cret" } } })))
  await note(read(id))
  await note(service.request("GET", "/admin/clusters"))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 400, 200, 400, 200, 200])
  expect(await keptToken(id)).toBe("second-s3cret")

  for (const { body, headers } of answers) expect(secretIn(JSON.stringify([body, [...headers]]))).toEqual([])
  const tables = await service.run(wholeDatabase)
  expect(tables.find(([name]) => name === "chronoforge.events")?.[1]).toContain("ClusterTokenReplaced")
  for (const [name, text] of tables) expect([name, secretIn(text)]).toEqual([name, []])
})

it("appears in no line of the log", () => {
  const [time, pretty] = [new Date(0), prettyFormat({ colours: false })]
  const lines = service.log.flatMap((line) => [jsonFormat.request(line, time), pretty.request(line, time)])
  expect(lines.length).toBeGreaterThan(60)
  expect(secretIn(lines.join("\n"))).toEqual([])
})
