import { changeRoutes } from "./changeHandlers.ts"
import { createRoutes } from "./createHandlers.ts"
import { fork } from "./forkHandler.ts"
import { projectMemberRoutes } from "./memberRoutes.ts"
import { protectionRoutes } from "./protectionHandlers.ts"
import { readRoutes } from "./readHandlers.ts"

export const projectRoutes = [...readRoutes, ...createRoutes, ...changeRoutes, fork, ...projectMemberRoutes, ...protectionRoutes]
