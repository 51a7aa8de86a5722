import { Effect } from "effect"
import { expect, it } from "vitest"
import { nextId, nextIds, nextNumber } from "#src/platform/Ids.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { databaseLayer } from "#test/support/database.ts"

const ascending = (values: ReadonlyArray<number>) => values.toSorted((one, other) => one - other)
const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index)
const nothing = () => "0"

const run = <A>(effect: Effect.Effect<A, never, Sql>) => Effect.runPromise(Effect.provide(effect, databaseLayer))

it("ids that many ask for at once are all different, and those of one caller ascend", () =>
  run(
    Effect.gen(function* () {
      const [several, single, jobs] = yield* Effect.all(
        [
          Effect.all(
            Array.from({ length: 20 }, (_, index) => nextIds("pipeline", index)),
            { concurrency: "unbounded" }
          ),
          Effect.all(
            Array.from({ length: 20 }, () => nextId("pipeline")),
            { concurrency: "unbounded" }
          ),
          nextIds("job", 3)
        ],
        { concurrency: "unbounded" }
      )
      expect(several.map(({ length }) => length)).toEqual(upTo(20, 0))
      expect(several.map(ascending)).toEqual(several)
      expect(ascending([...several.flat(), ...single])).toEqual(upTo(190 + 20))
      expect(jobs).toEqual([1, 2, 3])
    })
  ))

it("numbers that many ask for at once count on in each scope, without a gap", () =>
  run(
    Effect.gen(function* () {
      const scopes = Array.from({ length: 60 }, (_, index) => index % 3)
      const take = Effect.forEach(scopes, (scope) => nextNumber("pipeline", scope, nothing), { concurrency: "unbounded" })
      const numbers = [yield* take, yield* take].flat()
      for (const scope of [0, 1, 2]) {
        const ofScope = numbers.filter((_, index) => scopes[index % 60] === scope)
        expect(ofScope).toEqual(upTo(40))
      }
    })
  ))

it("numbers go on behind what the log has, where counters are lost or behind", () =>
  run(
    Effect.gen(function* () {
      const { client } = yield* Sql
      const highest = (scope: string) => `(select max(n) from (values (1, 7), (2, 9)) as known (id, n) where id = ${scope})`
      const take = Effect.forEach([1, 1, 2], (scope) => nextNumber("pipeline", scope, highest), { concurrency: "unbounded" })
      expect(yield* take).toEqual([8, 9, 10])
      yield* query(() => client`update chronoforge.numbers set last = 3 where scope = 1`)
      expect(yield* take).toEqual([8, 9, 11])
    })
  ))
