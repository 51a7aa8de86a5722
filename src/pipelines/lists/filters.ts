import type { Decoded } from "../../http/parameters/parameters.ts"
import { defined } from "../../kernel/defined.ts"
import type { PipelineFilter } from "../Queries.ts"
import { statuses } from "../status.ts"

/** What pipelines are chosen by in every list of them. */
export const listFilters = {
  scope: {
    kind: "string",
    values: ["running", "pending", "finished", "branches", "tags"],
    description: "Only those of such a status; or only the newest of each branch, or of each tag."
  },
  status: { kind: "string", values: statuses, description: "Only those of this status." },
  updated_before: { kind: "dateTime", description: "Only those last changed at this time or earlier." },
  updated_after: { kind: "dateTime", description: "Only those last changed at this time or later." },
  created_before: { kind: "dateTime", description: "Only those made at this time or earlier." },
  created_after: { kind: "dateTime", description: "Only those made at this time or later." }
} as const

/** The filter that these parameters ask for. */
export const filterBy = (parameters: Decoded<typeof listFilters>): Omit<PipelineFilter, "projectId" | "order"> =>
  defined({
    scope: parameters.scope ?? undefined,
    status: parameters.status ?? undefined,
    updatedAfter: parameters.updated_after ?? undefined,
    updatedBefore: parameters.updated_before ?? undefined,
    createdAfter: parameters.created_after ?? undefined,
    createdBefore: parameters.created_before ?? undefined
  })
