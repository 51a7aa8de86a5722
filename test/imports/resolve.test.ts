import { Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { resolveInTurns } from "#src/imports/remote/resolve.ts"
import { onBehalfOf } from "#src/platform/work/CurrentWork.ts"

it("names whose servers are slow keep nobody else from looking one up, also when who wants them goes away", async () => {
  const { promise: slow, resolve: answer } = Promise.withResolvers<ReadonlyArray<string>>()
  const asked: Array<string> = []
  const resolve = resolveInTurns((host) => {
    asked.push(host)
    return host.startsWith("slow") ? slow : Promise.resolve(["192.0.2.1"])
  })
  const look = (caller: string, host: string) => Effect.forkChild(onBehalfOf(caller)(resolve(host)), { startImmediately: true })
  const outcome = await Effect.runPromise(
    Effect.gen(function* () {
      const first = yield* look("mallory", "slow-1")
      const waiting = yield* look("mallory", "slow-2")
      first.interruptUnsafe()
      const prompt = yield* Fiber.join(yield* look("trent", "prompt"))
      const meanwhile = [...asked]
      answer(["192.0.2.2"])
      return [prompt, meanwhile, yield* Fiber.join(waiting)]
    })
  )
  expect(outcome).toEqual([["192.0.2.1"], ["slow-1", "prompt"], ["192.0.2.2"]])
})

it("a name that nobody knows has no address", async () => {
  const resolve = resolveInTurns(() => Promise.reject(new Error("ENOTFOUND")))
  expect(await Effect.runPromise(resolve("nowhere.invalid"))).toEqual([])
})
