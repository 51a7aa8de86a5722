import { Effect } from "effect"
import { conflict, invalidRecord, notFound, unauthorized, WireError } from "../http/answer/errors.ts"
import { presentFaults } from "../http/answer/faults.ts"
import type { Refusal } from "./decisions/commands.ts"
import type { PairTaken } from "./pairs.ts"

/** What does not fit together: the interface answers with a list. */
export const unprocessableList = (text: string): WireError => new WireError({ status: 422, body: { message: [text] } })

const twinIsOpen = ({ iid }: PairTaken): WireError =>
  new WireError({
    status: 409,
    body: { message: [`Another open merge request already exists for this source branch: !${iid}`] }
  })

/** The caller has seen another commit. The words end with the one that there is. */
export const otherHead = (sha: string): WireError =>
  new WireError({ status: 409, body: { message: `SHA does not match HEAD of source branch: ${sha}` } })

/** The reference has another text here than for records that are missing. */
const notThere = new WireError({ status: 404, body: { message: "404 Not Found" } })

/** Answers the refusals of writes; those about merging and time are answered by their endpoints. */
export const refuse = <A, R>(written: Effect.Effect<A, Refusal | PairTaken | WireError, R>) =>
  Effect.catchTags(written, {
    MergeRequestInvalid: ({ faults }) => Effect.fail(invalidRecord(presentFaults(faults))),
    MergeRequestMissing: () => Effect.fail(notFound),
    PairTaken: (taken) => Effect.fail(twinIsOpen(taken)),
    MergeRequestExists: (refusal) => Effect.die(refusal),
    NotOpen: (refusal) => Effect.die(refusal),
    NotReady: (refusal) => Effect.die(refusal),
    PlaceMoved: () => Effect.fail(conflict("The merge request was changed meanwhile")),
    HeadMoved: ({ headSha = "" }) => Effect.fail(otherHead(headSha)),
    SpentTimeExceeded: (refusal) => Effect.die(refusal),
    SpentTimeTooLong: (refusal) => Effect.die(refusal),
    RebaseRunning: (refusal) => Effect.die(refusal),
    NotApprovable: () => Effect.fail(unauthorized),
    NotApproved: () => Effect.fail(notThere),
    ApprovalRuleInvalid: ({ faults }) => Effect.fail(invalidRecord(presentFaults(faults))),
    TooManyApprovalRules: ({ limit }) => Effect.fail(invalidRecord({ base: [`Only ${limit} rules are possible`] })),
    ApprovalRuleMissing: () => Effect.fail(notFound)
  })
