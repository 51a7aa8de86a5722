import { awardEmojiReadModel } from "./awardEmoji/projection.ts"
import { clustersReadModel } from "./clusters/projection.ts"
import { commitCommentsReadModel } from "./commitComments/projection.ts"
import { deploymentsReadModel } from "./deployments/projection.ts"
import { exportsReadModel } from "./exports/projection.ts"
import { importsReadModel } from "./imports/projection.ts"
import { issuesReadModel } from "./issues/projection.ts"
import { keysReadModel } from "./keys/projection.ts"
import { labelsReadModel } from "./labels/projection.ts"
import { mergeRequestsReadModel } from "./mergeRequests/projection.ts"
import { milestonesReadModel } from "./milestones/projection.ts"
import { namespacesReadModel } from "./namespaces/projection.ts"
import { notesReadModel } from "./notes/projection.ts"
import { pagesReadModel } from "./pages/projection.ts"
import { pipelinesReadModel } from "./pipelines/projection.ts"
import { projectsReadModel } from "./projects/projection.ts"
import { pushesReadModel } from "./pushes/projection.ts"
import type { ReadModel } from "./ReadModel.ts"
import { releasesReadModel } from "./releases/projection.ts"
import { schedulesReadModel } from "./schedules/projection.ts"
import { stateEventsReadModel } from "./stateEvents/projection.ts"
import { todosReadModel } from "./todos/projection.ts"
import { tokensReadModel } from "./tokens/projection.ts"
import { uploadsReadModel } from "./uploads/projection.ts"
import { usersReadModel } from "./users/projection.ts"

/** Every read model, in the order in which they are made. */
export const readModels: ReadonlyArray<ReadModel> = [
  usersReadModel,
  tokensReadModel,
  keysReadModel,
  clustersReadModel,
  namespacesReadModel,
  projectsReadModel,
  pushesReadModel,
  importsReadModel,
  commitCommentsReadModel,
  pipelinesReadModel,
  schedulesReadModel,
  labelsReadModel,
  milestonesReadModel,
  deploymentsReadModel,
  pagesReadModel,
  issuesReadModel,
  mergeRequestsReadModel,
  awardEmojiReadModel,
  stateEventsReadModel,
  todosReadModel,
  notesReadModel,
  releasesReadModel,
  uploadsReadModel,
  exportsReadModel
]
