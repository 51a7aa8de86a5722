import { describe, expect, it } from "vitest"
import { batchesOf, type Command, exportAggregate, nextPiece, type State } from "#src/exports/aggregate.ts"
import { ExportEvent } from "#src/exports/events.ts"
import { exportStream, projectIdOfExports } from "#src/exports/ids.ts"
import { outcomeOf } from "#test/support/decisions.ts"
import {
  batchable,
  batchExported,
  batchFailed,
  expired,
  exported,
  failed,
  file,
  finished,
  names,
  number,
  requested,
  stateBehind,
  taken
} from "./samples.ts"

const outcome = outcomeOf(exportAggregate)
const { cases } = ExportEvent

const now = 1_719_748_800_000
const minutes = 60_000
/** What was finished later than this is not made again. */
const fresh = now - 3 * minutes + 1

const allExported = [exported("labels"), exported("issues"), exported("self")]

const states = {
  none: undefined,
  requested: stateBehind(requested()),
  taken: stateBehind(requested(), taken(2, 0)),
  "half done": stateBehind(requested(), taken(2, 0), exported("labels"), exported("issues")),
  "half done in batches": stateBehind(
    requested(true),
    taken(2_500, 1_001),
    batchExported("labels", 1, 1_000),
    batchFailed("labels", 2, "No space"),
    exported("self")
  ),
  "finished just now": stateBehind(requested(), taken(2, 0), ...allExported, finished(fresh)),
  "finished three minutes ago": stateBehind(requested(), taken(2, 0), ...allExported, finished(now - 3 * minutes)),
  "finished in batches": stateBehind(
    requested(true),
    taken(0, 0),
    exported("labels", null),
    exported("issues", null),
    exported("self"),
    finished(fresh)
  ),
  "finished with a failure": stateBehind(
    requested(),
    taken(2, 0),
    failed("labels", "No space"),
    exported("issues"),
    exported("self"),
    finished(fresh)
  ),
  expired: stateBehind(requested(), taken(2, 0), ...allExported, finished(fresh), expired)
} satisfies Readonly<Record<string, State>>

type Told = Exclude<Command, { readonly _tag: "Request" }>
const told: { readonly [Tag in Told["_tag"]]: Told } = {
  Take: { _tag: "Take", number, now, position: 20, objects: new Map([["labels", 3]]) },
  FinishBatch: { _tag: "FinishBatch", number, now, relation: "labels", batch: 3, file },
  FailBatch: { _tag: "FailBatch", number, now, relation: "labels", batch: 3, error: "No disk" },
  FinishRelation: { _tag: "FinishRelation", number, now, relation: "self", file },
  FailRelation: { _tag: "FailRelation", number, now, relation: "self", error: "No disk" },
  FailAll: { _tag: "FailAll", number, now, error: "It failed" },
  Expire: { _tag: "Expire", number, now }
}
const commands = {
  Request: { _tag: "Request", by: 5, isBatched: false, now },
  "Request in batches": { _tag: "Request", by: 5, isBatched: true, now },
  ...told
} satisfies Readonly<Record<string, Command>>

/** All relations are asked for, each as it can be. */
const asked = (of: number, isBatched: boolean) => [
  cases.ExportRequested.make({
    number: of,
    by: 5,
    isBatched,
    relations: names.map((name) => ({ name, isBatched: isBatched && batchable.has(name) }))
  })
]
/** Three labels and nothing else. */
const newlyTaken = cases.RelationsTaken.make({
  number,
  position: 20,
  relations: [
    { name: "labels", objects: 3 },
    { name: "issues", objects: 0 },
    { name: "self", objects: 0 }
  ]
})
const allFailed = ["labels", "issues", "self"].map((relation) => failed(relation, "It failed"))

type Expected = ReadonlyArray<ExportEvent> | "ExportOver"
type Row = Readonly<Record<keyof typeof commands, Expected>>

const again = { Request: asked(8, false), "Request in batches": asked(8, true) }
const refused = {
  Take: "ExportOver",
  FinishBatch: "ExportOver",
  FailBatch: "ExportOver",
  FinishRelation: "ExportOver",
  FailRelation: "ExportOver",
  FailAll: "ExportOver",
  Expire: "ExportOver"
} as const
const canExpire = { Expire: [expired] }

const table: Readonly<Record<keyof typeof states, Row>> = {
  none: { Request: asked(1, false), "Request in batches": asked(1, true), ...refused },
  requested: { ...again, ...refused, Take: [newlyTaken], FailAll: [...allFailed, finished(now)] },
  taken: {
    ...again,
    ...refused,
    Take: [],
    FinishRelation: [exported("self")],
    FailRelation: [failed("self", "No disk")],
    FailAll: [...allFailed, finished(now)]
  },
  "half done": {
    ...again,
    ...refused,
    Take: [],
    FinishRelation: [exported("self"), finished(now)],
    FailRelation: [failed("self", "No disk"), finished(now)],
    FailAll: [failed("self", "It failed"), finished(now)]
  },
  "half done in batches": {
    ...again,
    ...refused,
    Take: [],
    FinishBatch: [batchExported("labels", 3, 500), failed("labels", "No space")],
    FailBatch: [batchFailed("labels", 3, "No disk"), failed("labels", "No space")],
    FinishRelation: [],
    FailRelation: [],
    FailAll: [failed("labels", "It failed"), failed("issues", "It failed"), finished(now)]
  },
  "finished just now": { ...again, ...refused, ...canExpire, Request: [] },
  "finished three minutes ago": { ...again, ...refused, ...canExpire },
  "finished in batches": { ...again, ...refused, ...canExpire },
  "finished with a failure": { ...again, ...refused, ...canExpire },
  expired: { ...again, ...refused, Expire: [] }
}

describe.each(Object.entries(states))("an export that is %s", (name, state) => {
  it.each(Object.entries(commands))("%s", (command, given) => {
    expect(outcome(given, state)).toEqual(table[name as keyof typeof states][command as keyof typeof commands])
  })

  it.each([number - 1, number + 1])("has nothing to do with what is told of number %i", (other) => {
    for (const command of Object.values(told)) expect(outcome({ ...command, number: other }, state)).toBe("ExportOver")
  })
})

describe("the records of an export in batches", () => {
  const inBatches = stateBehind(requested(true))
  const take = (labels: number, issues: number): Command => ({
    _tag: "Take",
    number,
    now,
    position: 12,
    objects: new Map([
      ["labels", labels],
      ["issues", issues],
      ["self", 1]
    ])
  })

  it("a collection without any is there at once", () => {
    expect(outcome(take(0, 3), inBatches)).toEqual([taken(0, 3), exported("labels", null)])
  })

  it("an export without anything else is over at once", () => {
    const batched = { name: "labels", isBatched: true }
    const only = stateBehind(cases.ExportRequested.make({ number, by: 4, isBatched: true, relations: [batched] }))
    const events = [
      cases.RelationsTaken.make({ number, position: 12, relations: [{ name: "labels", objects: 0 }] }),
      exported("labels", null),
      finished(now)
    ]
    expect(outcome(take(0, 0), only)).toEqual(events)
  })
})

describe("a batch", () => {
  const state = states["half done in batches"]
  const finish = (relation: string, batch: number): Command => ({ _tag: "FinishBatch", number, now, relation, batch, file })

  it("is taken when it is the next one", () => {
    expect(outcome(finish("labels", 1), state)).toEqual([])
    expect(outcome(finish("labels", 2), state)).toEqual([])
    expect(outcome(finish("labels", 4), state)).toBe("ExportOver")
    expect(outcome(finish("issues", 2), state)).toBe("ExportOver")
    expect(outcome(finish("issues", 1), state)).toEqual([batchExported("issues", 1, 1_000)])
  })

  it("that is the last one ends its relation, and the last relation ends the export", () => {
    const begun = [requested(true), taken(0, 1_001), exported("labels", null), batchExported("issues", 1, 1_000)]
    const ended = [batchExported("issues", 2, 1), exported("issues", null)]
    expect(outcome(finish("issues", 2), stateBehind(...begun))).toEqual(ended)
    expect(outcome(finish("issues", 2), stateBehind(...begun, exported("self")))).toEqual([...ended, finished(now)])
  })

  it("of what is no relation is refused", () => {
    expect(outcome(finish("wikis", 1), state)).toBe("ExportOver")
  })
})

it.each([
  [false, 0, 0],
  [false, 5_000, 0],
  [true, 0, 0],
  [true, 1, 1],
  [true, 1_000, 1],
  [true, 1_001, 2]
])("in batches: %s, %i records: %i batches", (isBatched, objects, batches) => {
  expect(batchesOf({ isBatched, objects })).toBe(batches)
})

describe("what is to be done next", () => {
  const behind = (...events: ReadonlyArray<ExportEvent>) => {
    const state = stateBehind(...events)
    return state && nextPiece(state)
  }

  it("nothing before the records are taken, and when all is over", () => {
    expect(behind(requested())).toBeUndefined()
    expect(behind(requested(), taken(1, 1), ...allExported, finished(now))).toBeUndefined()
  })

  it("one relation after the other, with all its records", () => {
    const begun = [requested(), taken(2_500, 0)]
    expect(behind(...begun)).toEqual({ relation: "labels", batch: undefined, first: 1, last: 2_500 })
    expect(behind(...begun, exported("labels"))).toEqual({ relation: "issues", batch: undefined, first: 1, last: 0 })
    expect(behind(...begun, exported("labels"), failed("issues", "No space"))).toEqual({
      relation: "self",
      batch: undefined,
      first: 1,
      last: 1
    })
  })

  it("one batch after the other, the failed ones are not tried again", () => {
    const begun = [requested(true), taken(2_500, 1)]
    const piece = (batch: number, first: number, last: number) => ({ relation: "labels", batch, first, last })
    expect(behind(...begun)).toEqual(piece(1, 1, 1_000))
    expect(behind(...begun, batchExported("labels", 1, 1_000))).toEqual(piece(2, 1_001, 2_000))
    const failedOne = [batchExported("labels", 1, 1_000), batchFailed("labels", 2, "No space")]
    expect(behind(...begun, ...failedOne)).toEqual(piece(3, 2_001, 2_500))
  })
})

it("a stream belongs to its project", () => {
  expect([projectIdOfExports(exportStream(7)), projectIdOfExports("project-7"), projectIdOfExports("relationExport-x")]).toEqual([
    7,
    undefined,
    undefined
  ])
})
