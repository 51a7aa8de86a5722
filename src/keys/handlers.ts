import { deployKeyRoutes } from "./deployKeyHandlers.ts"
import { lookupRoutes } from "./lookupHandlers.ts"
import { projectKeyRoutes } from "./projectKeyHandlers.ts"
import { userKeyRoutes } from "./userKeyHandlers.ts"

export const keyRoutes = [...lookupRoutes, ...userKeyRoutes, ...deployKeyRoutes, ...projectKeyRoutes]
