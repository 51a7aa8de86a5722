import { scryptSync } from "node:crypto"
import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { handle } from "#src/platform/Commands.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { userAggregate } from "#src/users/aggregate.ts"
import { SignIns } from "#src/users/signIns/SignIns.ts"
import { Users } from "#src/users/Users.ts"
import { parsePrometheusText } from "../../http/operations/prometheusText.ts"
import { userRow } from "../rows.ts"
import { creation } from "../samples.ts"

const right = "correct horse"

/** As `digestPassword` makes it, but quick to check. */
const quickDigest = () => {
  const salt = Buffer.alloc(16)
  const hash = scryptSync(right, salt, 32, { N: 16, r: 8, p: 1 })
  return `$scrypt$n=16,r=8,p=1$${salt.toString("base64")}$${hash.toString("base64")}`
}

/** Who has an account: `user1` to `user20`, whose ids are in their names. */
const idOf = (login: string): number | undefined => {
  const digits = /^user(\d{1,2})$/i.exec(login)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** What looking for an account, with which each check of a password begins, does besides. */
type OnCheck = (login: string) => Effect.Effect<void>

const users = (onCheck: OnCheck) => {
  const find = (id: number | undefined) => Effect.succeed(id === undefined ? undefined : { ...userRow, id })
  return Layer.succeed(Users)({
    find,
    findByIdOrUsername: (text) => find(idOf(text)),
    findByLogin: (login) => Effect.andThen(onCheck(login), find(idOf(login))),
    findByEmails: () => Effect.succeed([])
  })
}

const createUsers = Effect.suspend(() => {
  const passwordDigest = quickDigest()
  const ids = Array.from({ length: 20 }, (_, index) => index + 1)
  return Effect.forEach(ids, (id) =>
    handle(userAggregate, id, { ...creation, username: `user${id}`, email: `user${id}@example.com`, passwordDigest })
  )
})

interface Options {
  readonly maxAttempts?: number
  readonly onCheck?: OnCheck
}

const withUsers =
  ({ maxAttempts = 10, onCheck = () => Effect.void }: Options = {}) =>
  <A, E>(effect: Effect.Effect<A, E, SignIns>) => {
    const layer = Layer.unwrap(Effect.as(createUsers, SignIns.layer({ maxAttempts, unlockMinutes: 10 })))
    return Effect.provide(effect, Layer.provide(layer, Layer.merge(layerMemory, users(onCheck))))
  }

/** What becomes of an attempt: `right`, `wrong`, `busy`, or the number of seconds to wait. */
const attempt = (login: string, network: string, password = "wrong") =>
  SignIns.use(({ signIn }) => signIn({ login, network, password })).pipe(
    Effect.map((user): string | number => (user === undefined ? "wrong" : "right")),
    Effect.catchTags({
      TooBusy: () => Effect.succeed("busy"),
      TooManyWrongPasswords: ({ seconds }) => Effect.succeed(seconds)
    })
  )

const attempts = (...all: ReadonlyArray<Parameters<typeof attempt>>) => Effect.forEach(all, (each) => attempt(...each))

/** So many wrong passwords for an account from an address, each as soon as it is looked at; the seconds that they had to wait. */
const wrongOnes = (times: number, login: string, network: string) =>
  Effect.forEach(Array.from({ length: times }), () =>
    Effect.gen(function* () {
      const first = yield* attempt(login, network)
      if (typeof first === "string") return 0
      yield* TestClock.adjust(`${first} seconds`)
      yield* attempt(login, network)
      return first
    })
  )

const home = "192.0.2.1"
const elsewhere = "198.51.100.1"
const manyFrom = (count: number, prefix = "203.0.113.") => Array.from({ length: count }, (_, index) => `${prefix}${index}`)

/** Of accounts, whose digests are quick to check: what waits behind them does not wait so long that it is refused for that. */
const manyNames = (count: number) => Array.from({ length: count }, (_, index) => `user${(index % 20) + 1}`)

describe("wrong passwords of an account from an address", () => {
  it.effect("cost the next one from there twice as long each time, from the third on", () =>
    Effect.gen(function* () {
      expect(yield* wrongOnes(13, "user1", home)).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300])
      expect(yield* attempt("user1", home, right)).toBe(300)
    }).pipe(withUsers({ maxAttempts: 0 }))
  )

  it.effect("are forgotten with a right one, and after ten minutes", () =>
    Effect.gen(function* () {
      yield* wrongOnes(3, "user1", home)
      yield* TestClock.adjust("999 millis")
      expect(yield* attempt("user1", home, right)).toBe(1)
      yield* TestClock.adjust("1 millis")
      expect(yield* attempts(["user1", home, right], ["user1", home], ["user1", home], ["user1", home])).toEqual([
        "right",
        "wrong",
        "wrong",
        "wrong"
      ])
      expect(yield* attempt("user1", home)).toBe(1)
      yield* TestClock.adjust("10 minutes")
      expect(yield* wrongOnes(4, "user1", home)).toEqual([0, 0, 0, 1])
    }).pipe(withUsers({ maxAttempts: 0 }))
  )

  it.effect("count once for a name in any case, however long", () =>
    Effect.gen(function* () {
      yield* attempts(["User2", home], ["USER2", home], ["user2", home])
      expect(yield* attempt("uSER2", home, right)).toBe(1)
      const long = "x".repeat(30_000)
      yield* wrongOnes(3, long, elsewhere)
      expect(yield* attempts([long, elsewhere], [`${long}x`, elsewhere])).toEqual([1, "wrong"])
    }).pipe(withUsers())
  )

  it.effect("hold up neither that account elsewhere nor others there", () =>
    Effect.gen(function* () {
      yield* wrongOnes(6, "user1", elsewhere)
      expect(yield* attempts(["user1", elsewhere, right], ["user1", home, right], ["user2", elsewhere, right])).toEqual([
        8,
        "right",
        "right"
      ])
    }).pipe(withUsers())
  )

  it.effect("are neither checked nor counted while they have to wait, and of many at once only so many are", () => {
    const checked: Array<string> = []
    return Effect.gen(function* () {
      const all = Array.from({ length: 20 }, () => attempt("user1", home))
      const outcomes = yield* Effect.all(all, { concurrency: "unbounded" })
      expect(outcomes).toEqual(["wrong", "wrong", "wrong", ...Array<number>(17).fill(1)])
      expect(checked).toEqual(["user1", "user1", "user1"])
      yield* TestClock.adjust("1 seconds")
      expect(yield* attempt("user1", home, right)).toBe("right")
    }).pipe(withUsers({ onCheck: (login) => Effect.sync(() => void checked.push(login)) }))
  })

  it.effect("count also for clients that do not wait for the answer", () =>
    Effect.gen(function* () {
      const began = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const onCheck = () => Effect.andThen(Deferred.succeed(began, undefined), Deferred.await(goOn))
      yield* Effect.gen(function* () {
        const fibers = [yield* Effect.forkChild(attempt("user1", home))]
        yield* Deferred.await(began)
        const interruption = yield* Effect.forkChild(Fiber.interruptAll(fibers))
        yield* Deferred.succeed(goOn, undefined)
        yield* Fiber.join(interruption)
        yield* attempts(["user1", home], ["user1", home])
        expect(yield* attempt("user1", home)).toBe(1)
      }).pipe(withUsers({ onCheck }))
    })
  )

  it.effect("are told as those of a name that nobody has", () =>
    Effect.gen(function* () {
      expect(yield* wrongOnes(5, "user1", home)).toEqual([0, 0, 0, 1, 2])
      expect(yield* wrongOnes(5, "nobody", elsewhere)).toEqual([0, 0, 0, 1, 2])
    }).pipe(withUsers())
  )
})

describe("wrong passwords from an address", () => {
  it.effect("cost strangers from there, from the tenth on, whatever the account", () =>
    Effect.gen(function* () {
      expect(yield* attempt("user15", elsewhere, right)).toBe("right")
      for (let id = 1; id <= 10; id++) expect(yield* attempt(`user${id}`, elsewhere)).toBe("wrong")
      expect(yield* attempts(["user11", elsewhere, right], ["user11", home, right], ["user15", elsewhere, right])).toEqual([
        1,
        "right",
        "right"
      ])
      yield* TestClock.adjust("1 seconds")
      expect(yield* attempts(["user11", elsewhere], ["user12", elsewhere])).toEqual(["wrong", 2])
      for (let id = 1; id <= 10; id++) yield* wrongOnes(1, `user${id}`, elsewhere)
      expect(yield* attempt("user14", elsewhere)).toBe(60)
      yield* TestClock.adjust("1 minutes")
      expect(yield* attempt("user14", elsewhere, right)).toBe("right")
    }).pipe(withUsers({ maxAttempts: 0 }))
  )
})

describe("an account", () => {
  const wrongFromMany = (login: string, networks: ReadonlyArray<string>) =>
    Effect.forEach(networks, (network) => attempt(login, network))

  it.effect("is locked by ten wrong passwords, from wherever, for ten minutes", () =>
    Effect.gen(function* () {
      yield* wrongFromMany("user1", manyFrom(9))
      expect(yield* attempt("user1", home)).toBe("wrong")
      expect(yield* attempts(["user1", elsewhere, right], ["user2", elsewhere, right])).toEqual([600, "right"])
      yield* TestClock.adjust("599999 millis")
      expect(yield* attempt("user1", elsewhere, right)).toBe(1)
      yield* TestClock.adjust("1 millis")
      expect(yield* attempt("user1", elsewhere, right)).toBe("right")
    }).pipe(withUsers())
  )

  it.effect("is not locked where its owner signed in before", () =>
    Effect.gen(function* () {
      expect(yield* attempt("user1", home, right)).toBe("right")
      yield* wrongFromMany("user1", manyFrom(10))
      expect(yield* attempts(["user1", elsewhere, right], ["user1", home, right])).toEqual([600, "right"])
    }).pipe(withUsers())
  )

  it.effect("that nobody has is locked alike", () =>
    Effect.gen(function* () {
      yield* wrongFromMany("nobody", manyFrom(10))
      expect(yield* attempt("nobody", elsewhere)).toBe(600)
    }).pipe(withUsers())
  )

  it.effect("begins to count anew with a right password, and after it was locked", () =>
    Effect.gen(function* () {
      yield* wrongFromMany("user1", manyFrom(9))
      expect(yield* attempt("user1", home, right)).toBe("right")
      yield* wrongFromMany("user1", manyFrom(9, "198.51.100."))
      expect(yield* attempt("user1", "192.0.2.2", right)).toBe("right")
      yield* wrongFromMany("user1", manyFrom(10, "198.18.0."))
      yield* TestClock.adjust("10 minutes")
      yield* wrongFromMany("user1", manyFrom(9, "198.19.0."))
      expect(yield* attempt("user1", "192.0.2.3", right)).toBe("right")
    }).pipe(withUsers())
  )

  it.effect("is never locked where that is switched off", () =>
    Effect.gen(function* () {
      yield* wrongFromMany("user1", manyFrom(40))
      expect(yield* attempt("user1", elsewhere, right)).toBe("right")
    }).pipe(withUsers({ maxAttempts: 0 }))
  )
})

describe("while passwords of an address are being checked", () => {
  it.effect("others take turns with it, and who signed in before has a place that strangers leave", () =>
    Effect.gen(function* () {
      const goOn = yield* Deferred.make<void>()
      const full = yield* Deferred.make<void>()
      const checked: Array<string> = []
      const onCheck = (login: string) =>
        Effect.suspend(() => {
          checked.push(login)
          if (login === "user20") return Effect.void
          return Effect.andThen(checked.length === 3 ? Deferred.succeed(full, undefined) : Effect.void, Deferred.await(goOn))
        })
      yield* Effect.gen(function* () {
        expect(yield* attempt("user20", elsewhere, right)).toBe("right")
        const hostile = [1, 2, 3, 4].flatMap((id) => manyFrom(2).map((network) => attempt(`user${id}`, network)))
        const fibers = yield* Effect.forEach(hostile, (each) => Effect.forkChild(each))
        const stranger = yield* Effect.forkChild(attempt("user10", elsewhere, right))
        yield* Deferred.await(full)
        const known = yield* attempt("user20", elsewhere, right)
        const checkedMeanwhile = [...checked]
        yield* Deferred.succeed(goOn, undefined)
        expect([known, checkedMeanwhile]).toEqual(["right", ["user20", "user1", "user1", "user20"]])
        expect(yield* Fiber.join(stranger)).toBe("right")
        yield* Fiber.joinAll(fibers)
        expect(checked.indexOf("user10")).toBeLessThan(checked.indexOf("user3"))
      }).pipe(withUsers({ onCheck }))
    })
  )

  it.effect("no more than 25 of it wait", () =>
    Effect.gen(function* () {
      const goOn = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        const fibers = yield* Effect.forEach(manyNames(40), (name) => Effect.forkChild(attempt(name, home)))
        const stranger = yield* Effect.forkChild(attempt("user1", elsewhere, right))
        yield* Effect.forEach(fibers.slice(26), Fiber.join)
        yield* Deferred.succeed(goOn, undefined)
        const outcomes = yield* Fiber.joinAll(fibers)
        expect(outcomes).toEqual([
          ...Array<string>(10).fill("wrong"),
          ...Array<number>(16).fill(1),
          ...Array<string>(14).fill("busy")
        ])
        expect(yield* Fiber.join(stranger)).toBe("right")
      }).pipe(withUsers({ onCheck: () => Deferred.await(goOn) }))
    })
  )
})

/** What the metrics tell, by outcome. */
const recorded = Effect.map(PrometheusMetrics.format(), (text) => {
  const samples = Object.entries(parsePrometheusText(text)).filter(([name]) => name.startsWith("chronoforge_sign_in"))
  return Object.fromEntries(samples.map(([name, value]) => [/outcome="(.*)"/.exec(name)?.[1] ?? name, value]))
})
const freshRegistry = Effect.provideServiceEffect(
  Metric.MetricRegistry,
  Effect.sync(() => new Map())
)
const lockouts = "chronoforge_sign_in_lockouts_total"

describe("metrics tell", () => {
  it.effect("of nothing before the first password", () =>
    Effect.gen(function* () {
      yield* SignIns
      expect(yield* recorded).toEqual({ right: 0, wrong: 0, delayed: 0, locked: 0, busy: 0, [lockouts]: 0 })
    }).pipe(withUsers(), freshRegistry)
  )

  it.effect("what became of passwords, and how often accounts were locked", () =>
    Effect.gen(function* () {
      yield* wrongOnes(4, "user1", home)
      yield* attempts(...manyFrom(6).map((network) => ["user1", network] satisfies Parameters<typeof attempt>))
      yield* attempts(["user1", elsewhere, right], ["user1", home], ["user2", elsewhere, right], ["user3", elsewhere])
      expect(yield* recorded).toEqual({ right: 1, wrong: 11, delayed: 1, locked: 2, busy: 0, [lockouts]: 1 })
    }).pipe(withUsers(), freshRegistry)
  )

  it.effect("of those for which too many wait", () =>
    Effect.gen(function* () {
      const goOn = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        const fibers = yield* Effect.forEach(manyNames(30), (name) => Effect.forkChild(attempt(name, home)))
        yield* Effect.forEach(fibers.slice(26), Fiber.join)
        expect(yield* recorded).toEqual({ right: 0, wrong: 0, delayed: 0, locked: 0, busy: 4, [lockouts]: 0 })
        yield* Deferred.succeed(goOn, undefined)
        yield* Fiber.joinAll(fibers)
      }).pipe(withUsers({ onCheck: () => Deferred.await(goOn) }))
    }).pipe(freshRegistry)
  )
})
