import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { JsonStream } from "#src/http/answer/Reply.ts"
import { ReleaseQueries } from "#src/releases/Queries.ts"
import { releasePageOf } from "#src/releases/shown.ts"

const queries = Layer.mock(ReleaseQueries)({
  descriptionOf: (id) => Effect.succeed(id === 2 ? undefined : `Words of ${id}`)
})
const row = (id: number, description: string | null, text_is_left_out: boolean) => ({
  id,
  description,
  text_is_left_out,
  text_octets: 0
})
const pageOf = (rows: ReadonlyArray<ReturnType<typeof row>>) =>
  releasePageOf({ rows, extent: { total: rows.length } }, ({ description, id }) => Effect.succeed({ id, description }))

it.effect("a release that goes while a long page is written is left out of it, with its comma", () =>
  Effect.gen(function* () {
    const rows = [row(2, null, true), row(1, null, true), row(2, null, true), row(3, "Short", false), row(4, null, true)]
    const { body } = yield* pageOf(rows)
    const written = yield* Effect.promise(() => text(Readable.from(body instanceof JsonStream ? body.content : [])))
    expect(JSON.parse(written)).toEqual([
      { id: 1, description: "Words of 1" },
      { id: 3, description: "Short" },
      { id: 4, description: "Words of 4" }
    ])
  }).pipe(Effect.provide(queries))
)

it.effect("a page without long texts is written at once", () =>
  Effect.gen(function* () {
    const { body } = yield* pageOf([row(1, "Short", false), row(2, null, false)])
    expect(body).toEqual([
      { id: 1, description: "Short" },
      { id: 2, description: null }
    ])
  }).pipe(Effect.provide(queries))
)
