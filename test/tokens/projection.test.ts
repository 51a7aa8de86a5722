import { describe, expect, it } from "vitest"
import { tokensReadModel } from "#projections/tokens/projection.ts"
import { TokenEvent, tokenCodec } from "#src/tokens/events.ts"
import { UserEvent, userCodec } from "#src/users/events.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"

const changesOf = changesIn(tokensReadModel)

const tokenChanges = (event: TokenEvent) => changesOf(tokenCodec.encode(event), "personalAccessToken-3")
const { cases } = TokenEvent
const patch = (columns: object) => [{ _tag: "Patch", table: "tokens", key: { id: 3 }, columns }]

describe("the tokens read model", () => {
  it("puts a row for an issued token and keeps the id from being given again", () => {
    const issued = { userId: 7, name: "ci", scopes: ["api"], expiresAt: null, digest: "ab".repeat(32), rotatedFrom: 2 }
    expect(tokenChanges(cases.TokenIssued.make(issued))).toEqual([
      {
        _tag: "Put",
        table: "tokens",
        row: {
          id: 3,
          user_id: 7,
          name: "ci",
          scopes: ["api"],
          digest: `\\x${"ab".repeat(32)}`,
          created_at: recorded.at,
          updated_at: recorded.at,
          last_used_at: null,
          last_used_on: null,
          expires_at: null,
          revoked: false
        }
      },
      { _tag: "IdTaken", kind: "token", id: 3 }
    ])
  })

  it.each<[TokenEvent, object]>([
    [cases.TokenUsed.make({ day: "2024-06-30" }), { last_used_at: recorded.at, last_used_on: "2024-06-30" }],
    [cases.TokenRevoked.make({ reason: "requested" }), { revoked: true, updated_at: recorded.at }],
    [cases.TokenRotated.make({ successor: 4 }), { revoked: true, updated_at: recorded.at }]
  ])("%j", (event, columns) => {
    expect(tokenChanges(event)).toEqual(patch(columns))
  })

  it("loses the tokens of a deleted user", () => {
    expect(changesOf(userCodec.encode(UserEvent.cases.UserDeleted.make({ hardDelete: false })), "user-7")).toEqual([
      { _tag: "RemoveWhere", table: "tokens", where: { user_id: 7 } }
    ])
    expect(changesOf(userCodec.encode(UserEvent.cases.UserBlocked.make({})), "user-7")).toEqual([])
  })
})
