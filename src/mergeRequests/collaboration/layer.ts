import { Effect, Layer } from "effect"
import type { DefaultProtections } from "../../projects/Projects.ts"
import { Projects } from "../../projects/Projects.ts"
import { Collaborations } from "../../pushes/Pushes.ts"
import { MergeRequestQueries } from "../Queries.ts"
import { mayCollaborate } from "./rights.ts"

type Needs = MergeRequestQueries | Projects | DefaultProtections

/** The branches of forks that are open to those who may merge them, from read models. */
export const layerCollaborations: Layer.Layer<Collaborations, never, Needs> = Layer.effect(
  Collaborations,
  Effect.map(Effect.context<Needs>(), (context) => ({
    branches: (projectId, user) =>
      Effect.gen(function* () {
        const found = yield* Projects.use((projects) => projects.find(String(projectId), user.id))
        if (found === undefined) return []
        const open = yield* MergeRequestQueries.use((queries) => queries.collaborating(projectId))
        const branches = yield* Effect.filter(open, (into) => mayCollaborate(user, found, { ...into, allowsCollaboration: true }))
        return branches.map(({ sourceBranch }) => sourceBranch)
      }).pipe(Effect.provideContext(context))
  }))
)
