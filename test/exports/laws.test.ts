import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  batchesOf,
  type Command,
  type Export,
  exportAggregate,
  nextPiece,
  type Piece,
  type State
} from "#src/exports/aggregate.ts"
import { ExportEvent, exportCodec } from "#src/exports/events.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"

const { decide, initial } = exportAggregate
const { cases } = ExportEvent
const step = stepOf(exportAggregate)
const fold = foldOf(exportAggregate)

const file = fc.record({ sha256: fc.constantFrom("f1", "f2"), bytes: fc.nat() })
const relation = fc.constantFrom("labels", "issues", "boards", "self")
const number = fc.integer({ min: 1, max: 3 })
const batch = fc.integer({ min: 1, max: 4 })
const error = fc.constantFrom("No space", "No disk")
/** Around the size of a batch. */
const objects = fc.constantFrom(0, 1, 999, 1_000, 1_001, 2_001)
const asked = fc.array(fc.record({ name: relation, isBatched: fc.boolean() }))
const counted = fc.array(fc.record({ name: relation, objects }))

const event: fc.Arbitrary<ExportEvent> = fc.oneof(
  fc.record({ number, by: fc.nat(), isBatched: fc.boolean(), relations: asked }).map((data) => cases.ExportRequested.make(data)),
  fc.record({ number, position: fc.nat(), relations: counted }).map((data) => cases.RelationsTaken.make(data)),
  fc.record({ number, relation, batch, objects, file }).map((data) => cases.BatchExported.make(data)),
  fc.record({ number, relation, batch, error }).map((data) => cases.BatchFailed.make(data)),
  fc.record({ number, relation, file: fc.option(file) }).map((data) => cases.RelationExported.make(data)),
  fc.record({ number, relation, error }).map((data) => cases.RelationFailed.make(data)),
  fc.record({ number, at: fc.nat() }).map((data) => cases.ExportFinished.make(data)),
  number.map((of) => cases.ExportExpired.make({ number: of }))
)

const now = fc.integer({ min: 0, max: 600_000 })
const request = fc.record({ by: fc.nat(), isBatched: fc.boolean(), now }).map((data): Command => ({ _tag: "Request", ...data }))
const takenObjects = fc.dictionary(relation, objects).map((counts) => new Map(Object.entries(counts)))
type Told = Exclude<Command, { readonly _tag: "Request" }>
const told: fc.Arbitrary<Told> = fc.oneof(
  fc.record({ number, now, position: fc.nat(), objects: takenObjects }).map((data): Told => ({ _tag: "Take", ...data })),
  fc.record({ number, now, relation, batch, file }).map((data): Told => ({ _tag: "FinishBatch", ...data })),
  fc.record({ number, now, relation, batch, error }).map((data): Told => ({ _tag: "FailBatch", ...data })),
  fc.record({ number, now, relation, file }).map((data): Told => ({ _tag: "FinishRelation", ...data })),
  fc.record({ number, now, relation, error }).map((data): Told => ({ _tag: "FailRelation", ...data })),
  fc.record({ number, now, error }).map((data): Told => ({ _tag: "FailAll", ...data })),
  fc.record({ number, now }).map((data): Told => ({ _tag: "Expire", ...data }))
)
const commands = fc.array(fc.oneof({ weight: 1, arbitrary: request }, { weight: 6, arbitrary: told }), { maxLength: 20 })
/** Work that is begun, so that little of it is refused. */
const begun = fc.tuple(fc.boolean(), takenObjects).map(
  ([isBatched, counts]): ReadonlyArray<Command> => [
    { _tag: "Request", by: 1, isBatched, now: 0 },
    { _tag: "Take", number: 1, now: 0, position: 1, objects: counts }
  ]
)
const histories = fc.oneof(
  commands,
  fc.tuple(begun, commands).map(([first, more]) => [...first, ...more])
)

const isBegun = (state: State): state is Export => state !== undefined
const isUnderWay = ({ relations }: Export) => [...relations.values()].some(({ status }) => status === "started")

/** How far an export has come, in numbers that only grow. */
const progressOf = ({ finishedAt, isExpired, position, relations }: Export): ReadonlyArray<number> => [
  ...[position !== null, finishedAt !== null, isExpired].map(Number),
  ...[...relations.values()].flatMap(({ batches, status }) => [batches, Number(status !== "started")])
]
/** How its relations ended that are over. */
const outcomesOf = ({ relations }: Export) =>
  [...relations].flatMap(([name, { status }]) => (status === "started" ? [] : [[name, status] as const]))

/** What happens at each command, and the state behind it. */
const historyOf = (given: ReadonlyArray<Command>) => {
  let state = initial
  return given.map((command) => {
    const before = state
    const events = Result.getOrElse(decide(command, state), (): ReadonlyArray<ExportEvent> => [])
    state = fold(events, state)
    return { before, events, after: state }
  })
}
const exportsIn = (given: ReadonlyArray<Command>) => historyOf(given).flatMap(({ after }) => (isBegun(after) ? [after] : []))

type Succeeds = (relation: string, batch: number | undefined) => boolean

/** What a worker tells of the piece that is next. */
const doneOf = ({ batch: next, relation: name }: Piece, isThere: boolean): Command => {
  const of = { number: 1, now: 5, relation: name }
  const made = { ...of, file: { sha256: "f1", bytes: 1 } }
  const spoilt = { ...of, error: "No space" }
  if (next === undefined) return isThere ? { _tag: "FinishRelation", ...made } : { _tag: "FailRelation", ...spoilt }
  return isThere ? { _tag: "FinishBatch", ...made, batch: next } : { _tag: "FailBatch", ...spoilt, batch: next }
}

/** The commands of a worker that does what is next until nothing is. */
const workOn = (given: ReadonlyArray<Command>, succeeds: Succeeds): ReadonlyArray<Command> => {
  const state = given.reduce(step, initial)
  const piece = state && nextPiece(state)
  if (piece === undefined) return given
  return workOn([...given, doneOf(piece, succeeds(piece.relation, piece.batch))], succeeds)
}

describe("laws of exports, whatever is told, and in which order", () => {
  itFoldsInParts(fold, event)
  itIsStored(exportCodec, event)

  it("what was told changes nothing the second time", () => {
    fc.assert(
      fc.property(histories, told, (before, again) => {
        const state = [...before, again].reduce(step, initial)
        expect(Result.getOrElse(decide(again, state), () => [])).toEqual([])
      })
    )
  })

  it("an export never goes back", () => {
    fc.assert(
      fc.property(histories, (given) => {
        for (const { after, before } of historyOf(given)) {
          if (!isBegun(before) || !isBegun(after) || before.number !== after.number) continue
          const was = progressOf(before)
          expect(progressOf(after).filter((value, place) => value < (was[place] ?? 0))).toEqual([])
          expect(outcomesOf(after)).toEqual(expect.arrayContaining(outcomesOf(before)))
        }
      })
    )
  })

  it("the next export has the next number", () => {
    fc.assert(
      fc.property(histories, (given) => {
        const numbers = historyOf(given).map(({ after, before }) => (after?.number ?? 0) - (before?.number ?? 0))
        expect(numbers.filter((more) => more !== 0 && more !== 1)).toEqual([])
      })
    )
  })

  it("an export is finished when nothing of it is under way, and not before", () => {
    fc.assert(
      fc.property(histories, (given) => {
        for (const state of exportsIn(given)) {
          expect(state.finishedAt === null).toBe(isUnderWay(state))
          expect(state.isExpired && isUnderWay(state)).toBe(false)
        }
      })
    )
  })

  it("something is to be done while an export is under way whose records are taken, and not otherwise", () => {
    fc.assert(
      fc.property(histories, (given) => {
        for (const state of exportsIn(given))
          expect(nextPiece(state) !== undefined).toBe(state.position !== null && isUnderWay(state))
      })
    )
  })

  it("the batches of a relation are 1, 2, and so on, without a gap", () => {
    fc.assert(
      fc.property(histories, (given) => {
        const batches = historyOf(given)
          .flatMap(({ events }) => events)
          .filter((each) => each._tag === "BatchExported" || each._tag === "BatchFailed")
        const byRelation = Map.groupBy(batches, (each) => `${each.number} ${each.relation}`)
        for (const each of byRelation.values()) expect(each.map((one) => one.batch)).toEqual(each.map((_, index) => index + 1))
      })
    )
  })

  it("whoever does what is next comes to an end, and each record is in one batch", () => {
    fc.assert(
      fc.property(begun, fc.func(fc.boolean()), (given, succeeds) => {
        const work = workOn(given, succeeds)
        const [ended] = [work.reduce(step, initial)].filter(isBegun)
        expect(ended?.finishedAt).not.toBeNull()
        const events = historyOf(work).flatMap((each) => each.events)
        for (const [name, { batches, isBatched, objects: count, status }] of ended?.relations ?? []) {
          const hasFailed = work.some((each) => "error" in each && "relation" in each && each.relation === name)
          expect([status, batches]).toEqual([hasFailed ? "failed" : "exported", batchesOf({ isBatched, objects: count })])
          const sizes = events.flatMap((each) => (each._tag === "BatchExported" && each.relation === name ? [each.objects] : []))
          const sum = sizes.reduce((total, size) => total + size, 0)
          if (isBatched && !hasFailed) expect(sum).toBe(count)
        }
      })
    )
  })
})
