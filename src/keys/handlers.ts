import { deployKeyRoutes } from "./endpoints/deployKeyHandlers.ts"
import { projectKeyRoutes } from "./endpoints/projectKeyHandlers.ts"
import { userKeyRoutes } from "./endpoints/userKeyHandlers.ts"
import { lookupRoutes } from "./lookupHandlers.ts"

export const keyRoutes = [...lookupRoutes, ...userKeyRoutes, ...deployKeyRoutes, ...projectKeyRoutes]
