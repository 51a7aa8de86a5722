import { Effect, Layer } from "effect"
import type { DefaultProtections } from "../../projects/ProjectProtections.ts"
import { Projects } from "../../projects/Projects.ts"
import { Collaborations } from "../../pushes/Pushes.ts"
import { MergeRequestQueries } from "../Queries.ts"
import { collaborationsAmong } from "./rights.ts"

type Needs = MergeRequestQueries | Projects | DefaultProtections

/** The branches of forks that are open to those who may merge them, from read models. */
export const layerCollaborations: Layer.Layer<Collaborations, never, Needs> = Layer.effect(
  Collaborations,
  Effect.map(Effect.context<Needs>(), (context) => ({
    branches: (projectId, user) =>
      Effect.gen(function* () {
        const open = yield* MergeRequestQueries.use((queries) => queries.collaborating(projectId))
        if (open.length === 0) return []
        const found = yield* Projects.use((projects) => projects.find(String(projectId), user.id))
        return found === undefined ? [] : yield* collaborationsAmong(user, found, open)
      }).pipe(Effect.provideContext(context))
  }))
)
