// Repositories are read as git has them: there is no decider and no read model of their own.
import { archiveRoutes } from "./archiveHandlers.ts"
import { blobRoute, rawBlobRoute } from "./blobHandlers.ts"
import { changelogRoutes } from "./changelogHandlers.ts"
import { compareRoute } from "./compareHandler.ts"
import { contributorsRoute } from "./contributorsHandler.ts"
import { mergeBaseRoute } from "./mergeBaseHandler.ts"
import { treeRoute } from "./treeHandler.ts"

export const repositoryRoutes = [
  treeRoute,
  blobRoute,
  rawBlobRoute,
  ...archiveRoutes,
  compareRoute,
  contributorsRoute,
  mergeBaseRoute,
  ...changelogRoutes
]
