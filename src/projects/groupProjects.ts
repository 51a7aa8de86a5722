import { Effect, Layer } from "effect"
import { GroupProjects } from "../groups/Groups.ts"
import type { Imports } from "../imports/Imports.ts"
import { type Handled, handle } from "../platform/Commands.ts"
import type { EventStore } from "../platform/eventStore/EventStore.ts"
import { projectAggregate } from "./handle.ts"
import { projectPathName } from "./names.ts"
import { ProjectReadModel } from "./ReadModel.ts"
import type { RepositoryStorage } from "./RepositoryStorage.ts"
import { refuse } from "./refuse.ts"
import { presentAll } from "./view.ts"
import { removeProject } from "./writes.ts"

const shownAtMost = 100

/** The last of the positions; 0 for none. */
const lastOf = (handled: ReadonlyArray<Pick<Handled<unknown, unknown>, "position">>): number =>
  Math.max(0, ...handled.map(({ position }) => position))

type Needed = EventStore | Imports | ProjectReadModel | RepositoryStorage

/** Answers what groups ask about projects. */
export const layerGroupProjects: Layer.Layer<GroupProjects, never, Needed> = Layer.effect(
  GroupProjects,
  Effect.gen(function* () {
    const services = yield* Effect.context<Needed>()
    const readModel = yield* ProjectReadModel
    return GroupProjects.of({
      shown: Effect.fn("GroupProjects.shown")(function* ({ caller, groupId, request }) {
        const asker = {
          userId: caller?.user.id,
          isAdministrator: caller?.user.admin === true,
          isExternal: caller?.user.external === true
        }
        const filter = {
          asker,
          namespace: { id: groupId, withDescendants: false },
          order: { by: "id", descending: true }
        } as const
        const { rows } = yield* readModel.list(filter, { limit: shownAtMost, offset: 0 })
        return { projects: yield* presentAll(rows, "full", { caller, request }), sharedProjects: [] }
      }, Effect.provide(services)),
      highestVisibility: readModel.highestVisibility,
      removeAll: Effect.fn("GroupProjects.removeAll")(function* (namespaceId) {
        const ids = yield* readModel.idsIn([namespaceId])
        const removed = yield* Effect.forEach(ids, (id) =>
          removeProject(id).pipe(
            Effect.catchTag("ProjectMissing", () => Effect.succeed({ position: 0 })),
            refuse
          )
        )
        return lastOf(removed)
      }, Effect.provide(services)),
      removeMember: Effect.fn("GroupProjects.removeMember")(function* (namespaceIds, userId) {
        const ids = yield* readModel.membershipsIn(yield* readModel.idsIn(namespaceIds), userId)
        const command = {
          _tag: "RemoveMember",
          userId,
          today: "",
          actingLevel: Number.POSITIVE_INFINITY,
          hasOtherOwner: true,
          hasInheritedOwner: true
        } as const
        const removed = yield* Effect.forEach(ids, (id) =>
          handle(projectAggregate, id, command).pipe(
            Effect.catchTag(["ProjectMissing", "MemberMissing"], () => Effect.succeed({ position: 0 })),
            refuse
          )
        )
        return lastOf(removed)
      }, Effect.provide(services)),
      pathName: (stream) => Effect.provide(projectPathName(stream), services)
    })
  })
)
