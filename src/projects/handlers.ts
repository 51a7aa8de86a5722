import { languageRoutes } from "./languages/handlers.ts"
import { createRoutes } from "./lifecycle/createHandlers.ts"
import { fork } from "./lifecycle/forkHandlers.ts"
import { transferRoutes } from "./lifecycle/transferHandlers.ts"
import { changeRoutes } from "./lifecycle/updateHandlers.ts"
import { protectionRoutes } from "./protections/handlers.ts"
import { readRoutes } from "./reads/handlers.ts"
import { projectGroupRoutes } from "./sharing/groupHandlers.ts"
import { projectMemberRoutes } from "./sharing/memberRoutes.ts"
import { starRoutes } from "./stars/handlers.ts"

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
