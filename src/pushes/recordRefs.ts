import { Effect } from "effect"
import type { Push } from "../git/http/access.ts"
import { appendRefs } from "./appendRefs.ts"
import { Reconciliation } from "./Reconciliation.ts"

/** `appendRefs`; when it fails, the log is told as soon as that can be, whatever becomes of the caller. */
export const recordRefs = (projectId: number, push: Push) =>
  Effect.onError(appendRefs(projectId, push), () => Reconciliation.use((reconciliation) => reconciliation.soon(projectId)))
