import { Deferred, Effect, Fiber, Schedule } from "effect"
import { expect, it } from "vitest"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { hasReacted } from "#src/platform/reactions/hasReacted.ts"
import { fromHere, type Reactor, react } from "#src/platform/reactions/react.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { useService } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"

const service = useService()

const holds = async (statement: string, values: Array<string> = []) => {
  const rows = await service.run(
    Sql.use(({ client }) => query(() => client.unsafe<Array<{ holds: boolean }>>(statement, values)))
  )
  return rows[0]?.holds === true
}
const hasBegun = (name: string) => holds("select true as holds from chronoforge.reactions where name = $1", [name])
const isBehindAll = (name: string) =>
  holds(
    `select position >= (select max(position) from chronoforge.events where type = 'UserCreated') as holds
     from chronoforge.reactions where name = $1`,
    [name]
  )

/** Whether a reactor tells that it has finished with the creation of a user. */
const hasFinished = (reactor: string, username: string) =>
  holds(
    `select ${hasReacted(reactor, "e.position")} as holds from chronoforge.events e
     where e.type = 'UserCreated' and e.data::json->>'username' = $1`,
    [username]
  )

const nameOf = ({ data }: RecordedEvent): string => String(field(data, "username"))

/** Runs a reactor on new users until something is so. */
const reactUntil = (
  reactor: Omit<Reactor<never>, "types"> & Partial<Pick<Reactor<never>, "types">>,
  claim: () => boolean | Promise<boolean>
) =>
  service.run(
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(react({ types: new Set(["UserCreated"]), ...reactor }))
      yield* Effect.promise(() => until(claim))
      yield* Fiber.interrupt(fiber)
    })
  )

it("leaves out what fails again and again, and is not held up by it", async () => {
  const [done, tries] = [new Set<string>(), new Map<string, number>()]
  const reactor = {
    name: "faulty",
    retries: Schedule.spaced("20 millis").pipe(Schedule.upTo({ times: 4 })),
    onEvent: (event: RecordedEvent) => {
      const name = nameOf(event)
      tries.set(name, (tries.get(name) ?? 0) + 1)
      return name.startsWith("faulty") ? Effect.die("it fails") : Effect.sync(() => done.add(name))
    }
  }
  await reactUntil(reactor, () => hasBegun("faulty"))
  const names = ["faulty-1", "faulty-2", "faulty-3", "faulty-4", "faulty-5", "sound-1", "faulty-6", "sound-2"]
  for (const name of names) await createUser(service, name)
  await reactUntil(reactor, () => isBehindAll("faulty"))
  expect(done).toEqual(new Set(["sound-1", "sound-2"]))
  expect(Object.fromEntries(tries)).toEqual(Object.fromEntries(names.map((name) => [name, name.startsWith("faulty") ? 5 : 1])))
})

it("goes on with the others while one of them takes long, and begins it again after a stop", async () => {
  const done: Array<string> = []
  const release = Deferred.makeUnsafe<void>()
  const reactor = {
    name: "slow",
    onEvent: (event: RecordedEvent) =>
      Effect.andThen(
        nameOf(event) === "slow-1" ? Deferred.await(release) : Effect.void,
        Effect.sync(() => done.push(nameOf(event)))
      )
  }
  await reactUntil(reactor, () => hasBegun("slow"))
  const others = Array.from({ length: 10 }, (_, index) => `other-${index}`)
  for (const name of ["slow-1", ...others]) await createUser(service, name)
  await reactUntil(reactor, () => done.length === others.length)
  expect(new Set(done)).toEqual(new Set(others))
  expect(await isBehindAll("slow")).toBe(false)
  const finished = await Promise.all(["slow-1", "other-0", "other-9"].map((name) => hasFinished("slow", name)))
  expect(finished).toEqual([false, true, true])
  Deferred.doneUnsafe(release, Effect.void)
  await reactUntil(reactor, () => isBehindAll("slow"))
  expect(done).toContain("slow-1")
  expect([await hasFinished("slow", "slow-1"), await hasFinished("unknown", "slow-1")]).toEqual([true, true])
})

it("leaves half of the places to others where one actor has many events that take long", async () => {
  const admin = await createUser(service, "other-actor", { admin: true })
  const { text: token } = await issueTokenFor(service, admin)
  const [running, done] = [new Set<string>(), new Set<string>()]
  const reactor = {
    name: "fair",
    onEvent: (event: RecordedEvent) => {
      const name = nameOf(event)
      if (!name.startsWith("held")) return Effect.sync(() => done.add([...running].sort().join()))
      return Effect.andThen(
        Effect.sync(() => running.add(name)),
        Effect.never
      )
    }
  }
  await reactUntil(reactor, () => hasBegun("fair"))
  for (const name of ["held-1", "held-2", "held-3", "held-4", "held-5"]) await createUser(service, name)
  const account = { username: "of-other", name: "of-other", email: "of-other@example.com", force_random_password: true }
  expect((await service.request("POST", "/users", { json: account, token })).status).toBe(201)
  await reactUntil(reactor, () => done.size > 0)
  expect(done).toEqual(new Set(["held-1,held-2"]))
})

it("passes over what does not concern it", async () => {
  const done: Array<string> = []
  const reactor = {
    name: "choosy",
    concerns: (event: RecordedEvent) => nameOf(event) !== "unconcerning",
    onEvent: (event: RecordedEvent) => Effect.sync(() => done.push(nameOf(event)))
  }
  await reactUntil(reactor, () => hasBegun("choosy"))
  for (const name of ["concerning", "unconcerning"]) await createUser(service, name)
  await reactUntil(reactor, () => isBehindAll("choosy"))
  expect(done).toEqual(["concerning"])
})

it("asks what is due of many events at once, and takes a turn only for those that are", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `idle-${index}`)
  const [asked, done] = [new Set<string>(), new Set<string>()]
  const allAsked = Deferred.makeUnsafe<void>()
  const reactor = {
    name: "due",
    isDue: (event: RecordedEvent) =>
      Effect.suspend(() => {
        asked.add(nameOf(event))
        if (asked.size === names.length + 1) Deferred.doneUnsafe(allAsked, Effect.void)
        return Effect.as(Deferred.await(allAsked), nameOf(event) === "due")
      }),
    onEvent: (event: RecordedEvent) => Effect.sync(() => done.add(nameOf(event)))
  }
  await reactUntil(reactor, () => hasBegun("due"))
  for (const name of [...names, "due"]) await createUser(service, name)
  await reactUntil(reactor, () => isBehindAll("due"))
  expect(done).toEqual(new Set(["due"]))
})

it("reacts to the events of one stream in their order, one after the other", async () => {
  const seen: Array<string> = []
  let running = 0
  const reactor = {
    name: "ordered",
    types: new Set(["UserCreated", "UserBlocked", "UserUnblocked"]),
    onEvent: ({ type }: RecordedEvent) =>
      Effect.gen(function* () {
        running += 1
        yield* Effect.yieldNow
        seen.push(running === 1 ? type : "beside another")
        running -= 1
      })
  }
  await reactUntil(reactor, () => hasBegun("ordered"))
  const id = await createUser(service, "ordered")
  for (const action of ["block", "unblock", "block"]) await service.request("POST", `/users/${id}/${action}`)
  await reactUntil(reactor, () => seen.length >= 4)
  expect(seen).toEqual(["UserCreated", "UserBlocked", "UserUnblocked", "UserBlocked"])
})

it("reacts to what came before it was begun for the first time, where that was served already", async () => {
  const seen: Array<string> = []
  const reactor = {
    name: "late",
    types: new Set(["UserCreated"]),
    onEvent: (event: RecordedEvent) => Effect.sync(() => void seen.push(nameOf(event)))
  }
  await createUser(service, "before-serving")
  const serving = Effect.gen(function* () {
    yield* Effect.promise(() => createUser(service, "while-it-waits"))
    const fiber = yield* Effect.forkChild(react(reactor))
    yield* Effect.promise(() => until(() => seen.length > 0))
    yield* Fiber.interrupt(fiber)
  })
  await service.run(fromHere(serving))
  expect(seen).toEqual(["while-it-waits"])
})
