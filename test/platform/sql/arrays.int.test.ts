import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { makeClient } from "#src/platform/sql/client.ts"
import { freshDatabase } from "#test/support/database.ts"

const client = Effect.flatMap(freshDatabase(), (url) =>
  Effect.acquireRelease(
    Effect.sync(() => makeClient(url, { connections: 1, name: "chronoforge tests" })),
    (it) => Effect.promise(() => it.end())
  )
)

const orNull = <A>(element: fc.Arbitrary<A>) => fc.array(fc.option(element))

/** Postgres stores no NUL; the others mean something in the text of an array. */
const texts = orNull(
  fc.string({
    unit: fc.oneof(
      fc.constantFrom('"', "\\", "{", "}", ",", " ", "'", "\n", "null"),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }).filter((unit) => unit !== "\0")
    )
  })
)

const arrays = fc.record({
  texts,
  bigintegers: orNull(fc.maxSafeInteger()),
  integers: orNull(fc.integer()),
  uuids: orNull(fc.uuid())
})

it.live("arrays arrive as they were sent", () =>
  Effect.gen(function* () {
    const sql = yield* client
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(arrays, async ({ bigintegers, integers, texts, uuids }) => {
          const [row] = await sql`
            select ${texts}::text[] as texts, ${bigintegers}::bigint[] as bigintegers, ${integers}::int[] as integers,
              ${uuids}::uuid[] as uuids, array_length(${texts}::text[], 1) as length`
          assert.deepStrictEqual(row && { ...row }, { texts, bigintegers, integers, uuids, length: texts.length || null })
        }),
        { numRuns: 300 }
      )
    )
  })
)
