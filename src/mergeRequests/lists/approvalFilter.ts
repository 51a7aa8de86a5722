import { Effect } from "effect"
import { invalidParameters, type WireError } from "../../http/answer/errors.ts"
import { type Coerced, toId } from "../../http/parameters/coerce.ts"
import { anyOrNone } from "../../issuables/Person.ts"
import type { MergeRequestFilter, People } from "../Queries.ts"
import type { Filters } from "./contract.ts"

/** A list names no more users. */
const maxPeople = 5

const refused = (name: string, text: string) => Effect.fail(invalidParameters([`${name} ${text}`]))

type Names = ReadonlyArray<string> | null | undefined

const usernames = (name: string, texts: Names): Effect.Effect<People | undefined, WireError> => {
  const named = (texts ?? []).filter((text) => text !== "")
  if (named.length === 0) return Effect.undefined
  if (named.length > maxPeople) return refused(name, `is too long (maximum is ${maxPeople})`)
  return Effect.succeed((named.length === 1 ? anyOrNone(named[0] ?? "") : undefined) ?? named.map((username) => ({ username })))
}

const ids = Effect.fnUntraced(function* (name: string, texts: Names) {
  const people = yield* usernames(name, texts)
  if (people === undefined || typeof people === "string") return people
  const numbers = (texts ?? []).filter((text) => text !== "").map(toId)
  const isNumber = (id: Coerced<number>): id is number => typeof id === "number"
  return numbers.every(isNumber) ? numbers.map((id) => ({ id })) : yield* refused(name, "should be an array, 'None' or 'Any'")
})

type Parameters = Pick<Filters, "approved_by_ids" | "approved_by_usernames" | "approver_ids">

/** Who has to have approved, and who has to be named by a rule of approvals. */
export const approvalFilter = Effect.fnUntraced(function* (parameters: Parameters) {
  const { approved_by_ids, approved_by_usernames, approver_ids } = parameters
  const approvedBy =
    (yield* ids("approved_by_ids", approved_by_ids)) ?? (yield* usernames("approved_by_usernames", approved_by_usernames))
  const filter: { readonly [Name in "approvedBy" | "approver"]: MergeRequestFilter[Name] } = {
    approvedBy,
    approver: yield* ids("approver_ids", approver_ids)
  }
  return filter
})
