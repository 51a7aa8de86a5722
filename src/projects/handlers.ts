import { changeRoutes } from "./changeHandlers.ts"
import { createRoutes } from "./createHandlers.ts"
import { fork } from "./forkHandler.ts"
import { projectGroupRoutes } from "./groupHandlers.ts"
import { languageRoutes } from "./languages/handlers.ts"
import { projectMemberRoutes } from "./memberRoutes.ts"
import { protectionRoutes } from "./protectionHandlers.ts"
import { readRoutes } from "./readHandlers.ts"
import { starRoutes } from "./stars/handlers.ts"
import { transferRoutes } from "./transferHandlers.ts"

export const projectRoutes = [
  ...readRoutes,
  ...createRoutes,
  ...changeRoutes,
  fork,
  ...projectMemberRoutes,
  ...projectGroupRoutes,
  ...protectionRoutes,
  ...starRoutes,
  ...languageRoutes,
  ...transferRoutes
]
