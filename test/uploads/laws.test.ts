import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Command, type State, uploadAggregate } from "#src/uploads/aggregate.ts"
import { UploadEvent, uploadCodec } from "#src/uploads/events.ts"
import { altOf, binaryType, isSafeName, markdownOf, safeName, typeOf } from "#src/uploads/names.ts"
import { rangeOf } from "#src/uploads/ranges.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"
import "#test/support/propertySeed.ts"

const { cases } = UploadEvent
const place = { projectId: fc.nat(), secret: fc.string(), name: fc.string(), by: fc.nat() }
const addition = fc.record({ ...place, bytes: fc.nat(), sha256: fc.string() })
const event: fc.Arbitrary<UploadEvent> = fc.oneof(
  addition.map((data) => cases.UploadAdded.make(data)),
  fc.record(place).map((data) => cases.UploadRemoved.make(data))
)
const command: fc.Arbitrary<Command> = fc.oneof(
  addition.map((data): Command => ({ _tag: "Add", ...data })),
  fc.nat().map((by): Command => ({ _tag: "Remove", by }))
)
const commands = fc.array(command, { maxLength: 6 })
const step = stepOf(uploadAggregate)
const { decide, initial } = uploadAggregate

describe("laws of uploads", () => {
  itFoldsInParts(foldOf(uploadAggregate), event)
  itIsStored(uploadCodec, event)

  it("a removal that was carried out changes nothing the second time", () => {
    fc.assert(
      fc.property(commands, fc.nat(), (before, by) => {
        const state = step(before.reduce(step, initial), { _tag: "Remove", by })
        const again = decide({ _tag: "Remove", by }, state)
        expect(state._tag === "Absent" ? Result.isFailure(again) : again).toEqual(
          state._tag === "Absent" ? true : Result.succeed([])
        )
      })
    )
  })

  it("a file stays where it is, and what is removed stays so", () => {
    const placeOf = (state: State) => (state._tag === "Absent" ? undefined : [state.projectId, state.secret, state.name])
    fc.assert(
      fc.property(commands, commands, (first, second) => {
        const middle = first.reduce(step, initial)
        const last = second.reduce(step, middle)
        if (middle._tag !== "Absent") expect(placeOf(last)).toEqual(placeOf(middle))
        if (middle._tag === "Removed") expect(last).toEqual(middle)
      })
    )
  })
})

describe("laws of names", () => {
  const sent = fc.oneof(
    fc.string({ unit: "binary", maxLength: 600 }),
    fc.string({ unit: fc.constantFrom("/", "\\", ".", "..", "\0", "a", "é", "💣", "\ud800", "%2f", "]", "("), maxLength: 400 })
  )

  it("a name is one that file systems take, and no path", () => {
    fc.assert(
      fc.property(sent, (text) => {
        const name = safeName(text)
        const bytes = Buffer.byteLength(name)
        expect([bytes > 0 && bytes <= 255, /[/\\\0[\]()\s]/.test(name), /^\.{1,2}$/.test(name)]).toEqual([true, false, false])
        expect(name.isWellFormed()).toBe(true)
      })
    )
  })

  it("a name that was made stays the same", () => {
    fc.assert(
      fc.property(sent, (text) => {
        const name = safeName(text)
        expect([safeName(name), isSafeName(name)]).toEqual([name, true])
      })
    )
  })

  it("Markdown is one link, and what a browser runs is never shown", () => {
    fc.assert(
      fc.property(sent, fc.constantFrom("", ".png", ".svg", ".HTML", ".pdf", ".js", ".xhtml"), (text, ending) => {
        const name = safeName(text.slice(0, 20) + ending)
        expect(markdownOf(name, "/u")).toBe(`${markdownOf(name, "/u").startsWith("!") ? "!" : ""}[${altOf(name)}](/u)`)
        if (/\.(svg|html|js|xhtml)$/i.test(name)) expect(typeOf(name)).toBe(binaryType)
      })
    )
  })
})

it("a range lies within the file", () => {
  const number = fc.oneof(fc.nat(20), fc.constant("")).map(String)
  fc.assert(
    fc.property(number, number, fc.nat(20), (from, to, bytes) => {
      const range = rangeOf(`bytes=${from}-${to}`, bytes)
      if (range === null || range === undefined) return
      expect([range.first >= 0, range.first <= range.last, range.last < bytes]).toEqual([true, true, true])
    })
  )
})
