import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { awardAggregate, type Command } from "#src/awardEmoji/aggregate.ts"
import { AwardEvent, awardCodec } from "#src/awardEmoji/events.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"
import { outcomeOf } from "#test/support/decisions.ts"

const { cases } = AwardEvent
const outcome = outcomeOf(awardAggregate)
const step = stepOf(awardAggregate)
const behind = (...commands: ReadonlyArray<Command>) => commands.reduce(step, awardAggregate.initial)
const award = (by: number, name = "thumbsup", id = by): Command => ({ _tag: "Award", id, by, name })

describe("an award", () => {
  it("is given once by each user and name, and counted by name", () => {
    const state = behind(award(1), award(2), award(1, "tada", 3))
    expect(outcome(award(1, "thumbsup", 9), state)).toBe("AwardRefused")
    expect(outcome(award(4), state)).toEqual([cases.EmojiAwarded.make({ id: 4, by: 4, name: "thumbsup", total: 3 })])
    expect(outcome(award(2, "tada", 9), state)).toEqual([cases.EmojiAwarded.make({ id: 9, by: 2, name: "tada", total: 2 })])
  })

  it("is taken back once, and may be given again", () => {
    const state = behind(award(1), award(2))
    const back: Command = { _tag: "TakeBack", id: 1 }
    expect(outcome(back, state)).toEqual([cases.EmojiTakenBack.make({ id: 1, name: "thumbsup", total: 1 })])
    expect(outcome(back, step(state, back))).toBe("AwardMissing")
    expect(outcome(award(1, "thumbsup", 9), step(state, back))).toHaveLength(1)
  })

  it.each(["+1", "man_in_tuxedo_tone3", "8ball", "flag-de", "x".repeat(100)])("has a name such as %s", (name) => {
    expect(outcome(award(1, name), awardAggregate.initial)).toHaveLength(1)
  })

  it.each(["", "Thumbsup", "thumbs up", ":tada:", "🎉", "x".repeat(101), "a\nb"])("has no name such as %j", (name) => {
    expect(outcome(award(1, name), awardAggregate.initial)).toBe("AwardRefused")
  })

  it("is one of a hundred of a user at the most", () => {
    const state = behind(...Array.from({ length: 100 }, (_, index) => award(1, `n${index}`, index)))
    expect(outcome(award(1, "more", 100), state)).toBe("AwardRefused")
    expect(outcome(award(2, "more", 100), state)).toHaveLength(1)
    expect(outcome(award(1, "more", 100), step(state, { _tag: "TakeBack", id: 7 }))).toHaveLength(1)
  })
})

const id = fc.integer({ min: 1, max: 5 })
const name = fc.constantFrom("thumbsup", "tada")
const event = fc.oneof(
  fc.record({ id, by: id, name, total: fc.nat() }).map((data) => cases.EmojiAwarded.make(data)),
  fc.record({ id, name, total: fc.nat() }).map((data) => cases.EmojiTakenBack.make(data))
)
const fold = foldOf(awardAggregate)

itFoldsInParts(fold, event)
itIsStored(awardCodec, event)

it("whatever is commanded, totals are told as somebody would count", () => {
  const command: fc.Arbitrary<Command> = fc.oneof(
    fc.record({ by: id, name }).map((given): Command => ({ _tag: "Award", id: 0, ...given })),
    fc.nat({ max: 20 }).map((number): Command => ({ _tag: "TakeBack", id: number }))
  )
  fc.assert(
    fc.property(fc.array(command, { maxLength: 20 }), (commands) => {
      const given = new Map<number, string>()
      let state = awardAggregate.initial
      for (const [index, next] of commands.entries()) {
        const numbered: Command = next._tag === "Award" ? { ...next, id: index } : next
        const events = outcome(numbered, state)
        if (typeof events === "string") continue
        for (const happened of events) {
          if (happened._tag === "EmojiAwarded") given.set(happened.id, happened.name)
          else given.delete(happened.id)
          expect(happened.total).toBe([...given.values()].filter((one) => one === happened.name).length)
        }
        state = fold(events, state)
      }
    })
  )
})
