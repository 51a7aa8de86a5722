import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Command, type State, tokenAggregate } from "#src/tokens/aggregate.ts"
import { TokenEvent, tokenCodec } from "#src/tokens/events.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"

const { decide, initial } = tokenAggregate

const day = fc.constantFrom("2024-06-28", "2024-06-29", "2024-06-30")
const reason = fc.constantFrom("requested", "rotationOvertaken", "reuse")
const issued = fc.record({
  userId: fc.nat(),
  name: fc.string(),
  scopes: fc.array(fc.constantFrom("api", "sudo")),
  expiresAt: fc.option(day),
  digest: fc.string({ unit: fc.constantFrom("0", "a"), minLength: 64, maxLength: 64 }),
  rotatedFrom: fc.option(fc.nat())
})

const { cases } = TokenEvent
const event: fc.Arbitrary<TokenEvent> = fc.oneof(
  issued.map((it) => cases.TokenIssued.make(it)),
  day.map((it) => cases.TokenUsed.make({ day: it })),
  reason.map((it) => cases.TokenRevoked.make({ reason: it })),
  fc.nat().map((successor) => cases.TokenRotated.make({ successor }))
)
const command: fc.Arbitrary<Command> = fc.oneof(
  issued.map((it) => ({ _tag: "Issue" as const, ...it })),
  day.map((it) => ({ _tag: "NoteUse" as const, day: it })),
  reason.map((it) => ({ _tag: "Revoke" as const, reason: it })),
  fc.nat().map((successor) => ({ _tag: "Rotate" as const, successor }))
)

const fold = foldOf(tokenAggregate)
const step = stepOf(tokenAggregate)

describe("laws of tokens", () => {
  itFoldsInParts(fold, event)

  it("a revoked token stays so, with its first successor", () => {
    fc.assert(
      fc.property(fc.array(event), fc.option(fc.nat()), (events, successor) => {
        const revoked: State = { _tag: "Revoked", successor }
        expect(fold(events, revoked)).toEqual(revoked)
      })
    )
  })

  it("a command that is repeated adds nothing", () => {
    fc.assert(
      fc.property(fc.array(command), command, (past, given) => {
        const after = step(past.reduce(step, initial), given)
        expect(Result.getOrElse(decide(given, after), () => [])).toEqual([])
      })
    )
  })

  itIsStored(tokenCodec, event)
})
