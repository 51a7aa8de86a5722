import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Command } from "#src/tokens/commands.ts"
import { decide } from "#src/tokens/decide.ts"
import { TokenEvent } from "#src/tokens/events.ts"
import { evolve } from "#src/tokens/evolve.ts"
import { initial, type State } from "#src/tokens/state.ts"

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

const fold = (events: ReadonlyArray<TokenEvent>, from: State = initial): State => events.reduce(evolve, from)
const obey = (state: State, given: Command): State =>
  Result.match(decide(given, state), { onFailure: () => state, onSuccess: (events) => fold(events, state) })

describe("tokens", () => {
  it("fold in two parts as at once", () => {
    fc.assert(
      fc.property(fc.array(event), fc.array(event), (first, second) => {
        expect(fold(second, fold(first))).toEqual(fold([...first, ...second]))
      })
    )
  })

  it("stay revoked, with their first successor", () => {
    fc.assert(
      fc.property(fc.array(event), fc.option(fc.nat()), (events, successor) => {
        const revoked: State = { _tag: "Revoked", successor }
        expect(fold(events, revoked)).toEqual(revoked)
      })
    )
  })

  it("add nothing when a command is repeated", () => {
    fc.assert(
      fc.property(fc.array(command), command, (past, given) => {
        const after = obey(past.reduce(obey, initial), given)
        expect(Result.getOrElse(decide(given, after), () => [])).toEqual([])
      })
    )
  })

  it("survive storage", () => {
    fc.assert(
      fc.property(event, (given) => {
        const stored = JSON.stringify(Schema.encodeSync(TokenEvent)(given))
        expect(Schema.decodeUnknownSync(TokenEvent)(JSON.parse(stored))).toEqual(given)
      })
    )
  })
})
