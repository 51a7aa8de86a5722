import { create } from "./lifecycle/createHandlers.ts"
import { moderationRoutes } from "./lifecycle/moderationHandlers.ts"
import { remove } from "./lifecycle/removeHandlers.ts"
import { update } from "./lifecycle/updateHandlers.ts"
import { readRoutes } from "./reads/handlers.ts"

export const userRoutes = [...readRoutes, create, update, remove, ...moderationRoutes]
