import { create } from "./lifecycle/createHandler.ts"
import { moderationRoutes } from "./lifecycle/moderationHandlers.ts"
import { remove } from "./lifecycle/removeHandler.ts"
import { update } from "./lifecycle/updateHandler.ts"
import { readRoutes } from "./readHandlers.ts"

export const userRoutes = [...readRoutes, create, update, remove, ...moderationRoutes]
