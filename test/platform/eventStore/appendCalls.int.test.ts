import { assert, it } from "@effect/vitest"
import { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js"
import { credentials } from "@grpc/grpc-js"
import { Deferred, Effect, Exit } from "effect"
import { makeAppendCalls } from "#src/platform/eventStore/eventStoreDb/appendCalls.ts"
import { batchAppendAnswer, batchAppendRequest, sealedAppend } from "#src/platform/eventStore/eventStoreDb/protocol.ts"
import { chainEvents, emptyStream } from "#src/platform/eventStore/hashChain.ts"
import { newEvents, newStream } from "#test/contracts/eventStoreSamples.ts"
import { startEventStoreDbServer } from "#test/support/eventStoreDbServer/EventStoreDbServer.ts"

const startServer = Effect.acquireRelease(Effect.promise(startEventStoreDbServer), ({ stop }) => Effect.sync(stop))

const callsTo = (port: string, answerMillis: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const client = new StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure())
      let opened = 0
      const calls = makeAppendCalls(
        async () => client.batchAppend(),
        answerMillis,
        () => {
          opened += 1
        }
      )
      return { calls, client, opened: () => opened }
    }),
    ({ client }) => Effect.sync(() => client.close())
  )

const requestFor = (id: string) => {
  const stream = newStream()
  return batchAppendRequest(sealedAppend(stream, -1, chainEvents(stream, emptyStream, 0, newEvents(1))), id)
}

it.live("one append whose answer does not come costs no other its answer", () =>
  Effect.gen(function* () {
    const { behaviour, url } = yield* startServer
    const { calls, opened } = yield* callsTo(new URL(url).port, 3_000)
    const call = yield* Effect.promise(calls.open)
    const [arrived, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const hold = () => {
      Deferred.doneUnsafe(arrived, Effect.void)
      return Effect.runPromise(Deferred.await(released))
    }
    behaviour.beforeNextAppend = hold
    const late = Effect.runPromiseExit(Effect.tryPromise(() => call.append(requestFor)))
    yield* Deferred.await(arrived)
    yield* Effect.sleep("1500 millis")
    behaviour.beforeNextAppend = hold
    const other = call.append(requestFor)
    assert.isTrue(Exit.isFailure(yield* Effect.promise(() => late)))
    assert.deepEqual([call.isOpen(), calls.current()], [false, undefined])
    yield* Deferred.done(released, Exit.void)
    assert.deepInclude(batchAppendAnswer(yield* Effect.promise(() => other)), { _tag: "Appended", revision: 0 })
    const next = yield* Effect.promise(calls.open)
    assert.deepInclude(batchAppendAnswer(yield* Effect.promise(() => next.append(requestFor))), { _tag: "Appended", revision: 0 })
    assert.strictEqual(opened(), 2)
  })
)

it.live("what is on its way fails with its call, which takes nothing more, and opens no other once it is closed", () =>
  Effect.gen(function* () {
    const { behaviour, dropConnections, url } = yield* startServer
    const { calls } = yield* callsTo(new URL(url).port, 60_000)
    const call = yield* Effect.promise(calls.open)
    behaviour.beforeNextAppend = async () => {
      dropConnections()
      await new Promise(() => {})
    }
    const failures = yield* Effect.promise(() =>
      Promise.allSettled([call.append(requestFor), call.append(requestFor), call.append(requestFor)])
    )
    assert.deepEqual(
      failures.map(({ status }) => status),
      ["rejected", "rejected", "rejected"]
    )
    calls.close()
    const refused = yield* Effect.promise(() => Promise.allSettled([call.append(requestFor), calls.open()]))
    assert.deepEqual(
      refused.map((result) => result.status === "rejected" && String(result.reason)),
      ["Error: The call that carries appends has ended", "Error: The connection was closed"]
    )
  })
)
