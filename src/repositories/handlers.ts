// Repositories are read as git has them: there is no decider and no read model of their own.
import { archiveRoutes } from "./archives/handlers.ts"
import { blobRoute, rawBlobRoute } from "./blobs/handlers.ts"
import { changelogRoutes } from "./changelog/handlers.ts"
import { compareRoute } from "./compare/handlers.ts"
import { mergeBaseRoute } from "./compare/mergeBaseHandlers.ts"
import { contributorsRoute } from "./contributors/handlers.ts"
import { treeRoute } from "./trees/handlers.ts"

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
