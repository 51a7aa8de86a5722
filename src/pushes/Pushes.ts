// What other areas may use of pushes.
export { Collaborations, PushReactions, type RecordedPush, withCollaborations } from "./Collaborations.ts"
export { findMove } from "./findMove.ts"
export { type Move, moveFromTip, moveRefs } from "./moveRefs.ts"
export { mayPushTo, policyOf } from "./policyOf.ts"
export { isProtectedRef, judge, mayUpdateRef, type PushPolicy, pushRefusals } from "./pushPolicy.ts"
export { Reconciliation } from "./Reconciliation.ts"
export { RecordedRefs } from "./RecordedRefs.ts"
export { recordRefs } from "./recordRefs.ts"
