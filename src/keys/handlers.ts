import { deployKeyRoutes } from "./deployKeyHandlers.ts"
import { lookupRoutes } from "./lookupHandlers.ts"
import { userKeyRoutes } from "./userKeyHandlers.ts"

export const keyRoutes = [...lookupRoutes, ...userKeyRoutes, ...deployKeyRoutes]
