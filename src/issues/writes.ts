import { Effect } from "effect"
import { handle } from "../platform/Commands.ts"
import { nextId, nextNumber } from "../platform/Ids.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { IssueInvalid, issueAggregate, type Open } from "./aggregate.ts"
import { attributeFaults } from "./faults.ts"
import { IssueQueries } from "./Queries.ts"

/** Opens an issue under the next number of its project. */
export const openIssue = Effect.fnUntraced(function* (projectId: number, opening: Omit<Open, "_tag" | "id">) {
  // No number is used up for what is refused.
  const faults = attributeFaults(opening.attributes)
  if (faults.length > 0) return yield* new IssueInvalid({ faults })
  const { highestNumber } = yield* IssueQueries
  const iid = yield* nextNumber("issue", projectId, highestNumber)
  const id = yield* nextId("issue")
  const handled = yield* handle(issueAggregate, { projectId, iid }, { _tag: "Open", id, ...opening })
  return { ...handled, number: iid }
}, spanned("issues.open"))
