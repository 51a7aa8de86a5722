import { it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { describe, expect } from "vitest"
import { layerProjections } from "#projections/layer.ts"
import type { ReadModel } from "#projections/ReadModel.ts"
import { EventStore, type NewEvent } from "#src/platform/eventStore/EventStore.ts"
import { layerPostgres } from "#src/platform/eventStore/postgres.ts"
import { Projections } from "#src/platform/Projections.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { databaseLayer } from "#test/support/database.ts"
import { authorRemoved, changed, notesReadModel, removed, written } from "./sample.ts"

const running = (readModel: ReadModel = notesReadModel) =>
  layerProjections([readModel]).pipe(Layer.provideMerge(layerPostgres), Layer.fresh)

/** Log and projector over a database that outlives them. */
const withDatabase = <A, E>(effect: Effect.Effect<A, E, Sql>) => Effect.provide(effect, Layer.fresh(databaseLayer))
const withProjector = <A, E, R>(effect: Effect.Effect<A, E, R>, readModel?: ReadModel) =>
  Effect.provide(effect, running(readModel))

const append = (stream: string, events: ReadonlyArray<NewEvent>) => EventStore.use((store) => store.append(stream, "any", events))
const appendVisibly = (stream: string, events: ReadonlyArray<NewEvent>) =>
  Effect.gen(function* () {
    const { position } = yield* append(stream, events)
    yield* Projections.use((projections) => projections.awaitPosition(position))
    return position
  })

const rows = Sql.use(({ client }) =>
  query(async () => [...(await client`select id, author, text, revision from rm_notes.notes order by id`.values())])
)
const parked = Sql.use(({ client }) =>
  query(async () => [
    ...(await client`select stream, revision, type, error from chronoforge.parked_streams order by stream`.values())
  ])
)

describe("the projector", () => {
  it.live("shows what was appended as soon as its position is awaited", () =>
    Effect.gen(function* () {
      yield* appendVisibly("note-1", [written(1, "a"), changed(1, "b")])
      expect(yield* rows).toEqual([[1, "ann", "b", 1]])
      yield* appendVisibly("note-2", [written(2, "c", "ben"), written(3, "d", "ben"), removed(3)])
      expect(yield* rows).toEqual([
        [1, "ann", "b", 1],
        [2, "ben", "c", 0]
      ])
      yield* appendVisibly("author-ann", [authorRemoved("ann")])
      expect(yield* rows).toEqual([[2, "ben", "c", 0]])
    }).pipe(withProjector, withDatabase)
  )

  it.live("goes on where it stopped, and takes nothing twice", () =>
    Effect.gen(function* () {
      yield* withProjector(appendVisibly("note-1", [written(1, "a")]))
      // Were the first event taken again, this row would change.
      yield* Sql.use(({ client }) => query(() => client`update rm_notes.notes set text = 'kept'`))
      const position = yield* withProjector(appendVisibly("note-2", [written(2, "b")]))
      expect(yield* rows).toEqual([
        [1, "ann", "kept", 0],
        [2, "ann", "b", 0]
      ])
      expect(yield* withProjector(Projections.use((projections) => projections.status))).toMatchObject({
        head: position,
        readModels: [{ name: "notes", position, lag: 0, parkedStreams: 0 }]
      })
    }).pipe(withDatabase)
  )

  it.live(
    "parks the stream of an event that it cannot project, whoever refuses it, and goes on with the others, of which it warns",
    () => {
      const lines: Array<unknown> = []
      const log = Logger.layer([Logger.make(({ message }) => lines.push([message].flat()[0]))])
      return Effect.gen(function* () {
        yield* append("note-1", [written(1, "a"), written(2, "poison"), changed(1, "never shown")])
        yield* append("note-3", [written(3, "\u0000"), written(6, "never shown")])
        yield* append("note-4", [{ ...written(4, "x"), data: { id: "not a number" } }])
        const position = yield* appendVisibly("note-5", [written(5, "e"), changed(5, "f")])
        expect(yield* rows).toEqual([
          [1, "ann", "a", 0],
          [5, "ann", "f", 1]
        ])
        expect(yield* parked).toEqual([
          ["note-1", 1, "NoteWritten", "Error: this projection does not like poison"],
          ["note-3", 0, "NoteWritten", expect.stringContaining("\\u0000")],
          ["note-4", 0, "NoteWritten", expect.stringContaining("note-4 revision 0 (NoteWritten)")]
        ])
        const projections = yield* Projections
        expect(yield* Effect.flip(projections.awaitPosition(position, "note-1"))).toMatchObject({
          _tag: "NotYetVisible",
          parked: true
        })
        expect(lines).toEqual([
          "note-1 is parked at revision 1 (NoteWritten) in the read model notes: Error: this projection does not like poison",
          expect.stringMatching(/^note-3 is parked at revision 0 \(NoteWritten\) in the read model notes: .*\\u0000/),
          expect.stringContaining("note-4 is parked at revision 0 (NoteWritten) in the read model notes: ")
        ])
      }).pipe(withProjector, withDatabase, Effect.provide(log))
    }
  )

  it.live("replays parked streams in order once the code can take them", () =>
    Effect.gen(function* () {
      yield* withProjector(appendVisibly("note-1", [written(1, "a"), written(2, "poison"), changed(2, "cured"), changed(1, "b")]))
      expect(yield* rows).toEqual([[1, "ann", "a", 0]])
      const cured: ReadModel = {
        ...notesReadModel,
        projections: notesReadModel.projections.map(({ project, types }) => ({
          types,
          project: (recorded) =>
            project(recorded.revision === 1 ? { ...recorded, data: { id: 2, author: "ann", text: "bitter" } } : recorded)
        }))
      }
      yield* withProjector(appendVisibly("note-1", [changed(2, "shown")]), cured)
      expect(yield* rows).toEqual([
        [1, "ann", "b", 3],
        [2, "ann", "shown", 4]
      ])
      expect(yield* parked).toEqual([])
    }).pipe(withDatabase)
  )

  it.live("fills tables that another version made anew, and gives no id twice", () =>
    Effect.gen(function* () {
      yield* withProjector(appendVisibly("note-1", [written(41, "a")]))
      yield* Sql.use(({ client }) => query(() => client`select setval('chronoforge.cluster_ids', 1)`))
      const next: ReadModel = { ...notesReadModel, version: 2 }
      yield* withProjector(appendVisibly("note-2", [written(2, "b")]), next)
      expect(yield* rows).toEqual([
        [2, "ann", "b", 0],
        [41, "ann", "a", 0]
      ])
      const [id] = yield* Sql.use(({ client }) => query(() => client`select nextval('chronoforge.cluster_ids') as id`))
      expect(id).toEqual({ id: 42 })
    }).pipe(withDatabase)
  )
})
