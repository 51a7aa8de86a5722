import { deployKeyRoutes } from "./deployKey/handlers.ts"
import { projectKeyRoutes } from "./deployKey/projectHandlers.ts"
import { lookupRoutes } from "./lookupHandlers.ts"
import { userKeyRoutes } from "./userKey/handlers.ts"

export const keyRoutes = [...lookupRoutes, ...userKeyRoutes, ...deployKeyRoutes, ...projectKeyRoutes]
