import { describe, expect, it } from "vitest"
import { type Command, type Refusal, type State, tokenAggregate } from "#src/tokens/aggregate.ts"
import type { TokenEvent } from "#src/tokens/events.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"

type Expected = ReadonlyArray<TokenEvent> | Refusal["_tag"]

const issued = { userId: 7, name: "ci", scopes: ["api"], expiresAt: "2025-06-30", digest: "ab".repeat(32), rotatedFrom: null }

const states: { readonly [Tag in State["_tag"]]: State } = {
  Absent: { _tag: "Absent" },
  Usable: { _tag: "Usable", lastUsedOn: "2024-06-29" },
  Revoked: { _tag: "Revoked", successor: null }
}
const commands: { readonly [Tag in Command["_tag"]]: Command } = {
  Issue: { _tag: "Issue", ...issued },
  NoteUse: { _tag: "NoteUse", day: "2024-06-30" },
  Revoke: { _tag: "Revoke", reason: "requested" },
  Rotate: { _tag: "Rotate", successor: 8 }
}

const table: Record<State["_tag"], Record<Command["_tag"], Expected>> = {
  Absent: {
    Issue: [{ _tag: "TokenIssued", ...issued }],
    NoteUse: "TokenMissing",
    Revoke: "TokenMissing",
    Rotate: "TokenMissing"
  },
  Usable: {
    Issue: "TokenExists",
    NoteUse: [{ _tag: "TokenUsed", day: "2024-06-30" }],
    Revoke: [{ _tag: "TokenRevoked", reason: "requested" }],
    Rotate: [{ _tag: "TokenRotated", successor: 8 }]
  },
  Revoked: { Issue: "TokenExists", NoteUse: [], Revoke: [], Rotate: "AlreadyRevoked" }
}

const outcome = outcomeOf(tokenAggregate)

describe("every command in every state", () => {
  itDecides(outcome, { commands, states, table })
})

it.each([
  ["2024-06-28", 0],
  ["2024-06-29", 0],
  ["2024-06-30", 1]
])("a use on %s after one on 2024-06-29 adds %i events", (day, count) => {
  expect(outcome({ _tag: "NoteUse", day }, states.Usable)).toHaveLength(count)
})
