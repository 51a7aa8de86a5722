import { Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { react } from "#src/platform/reactions.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import { createUser } from "#test/support/people/accounts.ts"
import { useService } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"

const service = useService()

const holds = async (statement: string) => {
  const rows = await service.run(Sql.use(({ client }) => query(() => client.unsafe<Array<{ holds: boolean }>>(statement))))
  return rows[0]?.holds === true
}
const hasBegun = () => holds("select true as holds from chronoforge.reactions where name = 'faulty'")
const isBehindAll = () =>
  holds(`select position >= (select max(position) from chronoforge.events where type = 'UserCreated') as holds
    from chronoforge.reactions where name = 'faulty'`)

it("leaves out all events over which it fails again and again, and goes on", async () => {
  const done = new Set<string>()
  const reactor = react({
    name: "faulty",
    types: new Set(["UserCreated"]),
    onEvent: ({ data }) => {
      const username = String(field(data, "username"))
      return username.startsWith("faulty") ? Effect.die("it fails") : Effect.sync(() => done.add(username))
    }
  })
  const reactUntil = (claim: () => Promise<boolean>) =>
    service.run(
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(reactor)
        yield* Effect.promise(() => until(claim))
        yield* Fiber.interrupt(fiber)
      })
    )
  await reactUntil(hasBegun)
  for (const name of ["faulty-1", "sound-1", "faulty-2", "sound-2"]) await createUser(service, name)
  await reactUntil(isBehindAll)
  expect(done).toEqual(new Set(["sound-1", "sound-2"]))
})
