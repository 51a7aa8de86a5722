import { Effect } from "effect"
import type { Push } from "../git/http/access.ts"
import { appendRefs } from "./appendRefs.ts"
import { Reconciliation } from "./Reconciliation.ts"

/** Calls `appendRefs`; when it fails, the refs are reconciled in the background, even if the caller is interrupted. */
export const recordRefs = (projectId: number, push: Push) =>
  Effect.onError(appendRefs(projectId, push), () => Reconciliation.use((reconciliation) => reconciliation.schedule(projectId)))
