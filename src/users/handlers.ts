import { create } from "./createHandler.ts"
import { moderationRoutes } from "./moderationHandlers.ts"
import { readRoutes } from "./readHandlers.ts"
import { remove } from "./removeHandler.ts"
import { update } from "./updateHandler.ts"

export const userRoutes = [...readRoutes, create, update, remove, ...moderationRoutes]
