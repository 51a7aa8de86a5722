import { createServer, type Socket } from "node:net"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { importIdOf } from "#src/imports/ids.ts"
import { runImports } from "#src/imports/work/runImports.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { field } from "#test/support/exactly.ts"
import { until } from "#test/support/until.ts"
import { useImports } from "./useImports.ts"
import { useRemote } from "./useRemote.ts"

const remote = useRemote()
// A user has half of the places, and servers three of the four.
const { create, newUser, service } = useImports({ TRANSFER_LIMITS: "places=4" })

/** The projects whose imports have begun, in that order. */
const started = () =>
  service.run(
    Effect.map(
      EventStore.use((store) => store.readAll(0, 1000)),
      (events) => events.filter(({ type }) => type === "ImportStarted").map(({ stream }) => importIdOf(stream))
    )
  )

const newImport = async ({ token }: { readonly token: string }, name: string): Promise<number> => {
  const { body } = await create({ json: { name, import_url: `${remote.url}/source.git` }, token })
  return Number(field(body, "id"))
}

it("imports are done by turns of those who want them, one at a time of each", async () => {
  remote.create("source").commits([{ mark: "one" }])
  const [ada, bob, eve] = [await newUser("ada"), await newUser("bob"), await newUser("eve")]
  const ofAda = [await newImport(ada, "one"), await newImport(ada, "two"), await newImport(ada, "three")]
  const release = remote.hold()
  const all = until(async () => (await started()).length === 5)
  await service.run(
    Effect.raceFirst(
      runImports,
      Effect.promise(async () => {
        await until(async () => (await started()).length > 0)
        const ofBob = await newImport(bob, "one")
        await until(async () => (await started()).length > 1)
        const ofEve = await newImport(eve, "one")
        release()
        await all
        expect(await started()).toEqual([ofAda[0], ofBob, ofEve, ofAda[1], ofAda[2]])
      })
    )
  )
})

it("servers that say nothing keep nobody else from asking theirs", async () => {
  const silent: Array<Socket> = []
  const server = createServer((socket) => silent.push(socket))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const bound = server.address()
  const address = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : ""}/silent.git`
  const [mallory, trent] = [await newUser("mallory"), await newUser("trent")]
  const names = Array.from({ length: 12 }, (_, index) => `silent-${index}`)
  let answered = 0
  const asked = names.map(async (name) => {
    const answer = await create({ json: { name, import_url: address }, token: mallory.token })
    answered += 1
    return answer.status
  })
  try {
    await until(() => silent.length === 2)
    expect([await newImport(trent, "prompt"), answered]).toEqual([expect.any(Number), 0])
  } finally {
    server.close()
    for (const socket of silent) socket.destroy()
  }
  expect(await Promise.all(asked)).toEqual(names.map(() => 422))
})
