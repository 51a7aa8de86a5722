import { issues } from "./issues.ts"
import { mergeRequests } from "./mergeRequests.ts"
import { pipelines } from "./pipelines.ts"
import { planning } from "./planning.ts"
import { project } from "./project.ts"
import type { Records } from "./Records.ts"
import { releases } from "./releases.ts"
import { repository } from "./repository.ts"
import { uploads } from "./uploads.ts"

/** The records of all relations that have any. */
export const allRecords: ReadonlyArray<Records> = [
  ...planning,
  issues,
  releases,
  mergeRequests,
  ...pipelines,
  ...project,
  ...repository,
  uploads
]
