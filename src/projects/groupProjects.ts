import { Effect, Layer } from "effect"
import { GroupProjects, type Groups } from "../groups/Groups.ts"
import type { Caller } from "../http/Caller.ts"
import type { RequestInfo } from "../http/RequestInfo.ts"
import type { Imports } from "../imports/Imports.ts"
import { type Handled, handle } from "../platform/Commands.ts"
import type { EventStore } from "../platform/eventStore/EventStore.ts"
import { projectAggregate } from "./handle.ts"
import { handledEarlier, requireKept } from "./kept.ts"
import { projectPathName } from "./names.ts"
import type { Projects } from "./Projects.ts"
import { type ProjectFilter, ProjectReadModel } from "./ReadModel.ts"
import type { RepositoryStorage } from "./RepositoryStorage.ts"
import { refuse } from "./refuse.ts"
import { transferred } from "./transferHandlers.ts"
import { presentAll } from "./view.ts"
import { removeProject } from "./writes.ts"

const shownAtMost = 100

/** The last of the positions; 0 for none. */
const lastOf = (handled: ReadonlyArray<Pick<Handled<unknown, unknown>, "position">>): number =>
  Math.max(0, ...handled.map(({ position }) => position))

interface Asked {
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

const shownOf = Effect.fnUntraced(function* (place: Pick<ProjectFilter, "namespace" | "sharedWith">, asked: Asked) {
  const user = asked.caller?.user
  const asker = { userId: user?.id, isAdministrator: user?.admin === true, isExternal: user?.external === true }
  const filter = { asker, ...place, order: { by: "id", descending: true } } as const
  const { rows } = yield* ProjectReadModel.use((projects) => projects.list(filter, { limit: shownAtMost, offset: 0 }))
  return yield* presentAll(rows, "full", asked)
})

type Needed = EventStore | Groups | Imports | Projects | ProjectReadModel | RepositoryStorage

/** Answers what groups ask about projects. */
export const layerGroupProjects: Layer.Layer<GroupProjects, never, Needed> = Layer.effect(
  GroupProjects,
  Effect.gen(function* () {
    const services = yield* Effect.context<Needed>()
    const readModel = yield* ProjectReadModel
    return GroupProjects.of({
      shown: Effect.fn("GroupProjects.shown")(function* ({ groupId, ...asked }) {
        return {
          projects: yield* shownOf({ namespace: { id: groupId, withDescendants: false } }, asked),
          sharedProjects: yield* shownOf({ sharedWith: groupId }, asked)
        }
      }, Effect.provide(services)),
      highestVisibility: readModel.highestVisibility,
      bring: Effect.fn("GroupProjects.bring")(function* ({ groupId, project: id, ...asked }) {
        const earlier = yield* handledEarlier
        if (earlier !== undefined) return earlier
        const { project } = yield* requireKept({ ...asked, parameters: { id } }, "transfer_project")
        return yield* transferred(project, String(groupId), asked.caller)
      }, Effect.provide(services)),
      limitVisibility: Effect.fn("GroupProjects.limitVisibility")(function* (namespaceIds, highest) {
        const limited = yield* Effect.forEach(yield* readModel.idsIn(namespaceIds, highest), (id) =>
          handle(projectAggregate, id, { _tag: "LimitVisibility", highest }).pipe(
            Effect.catchTag("ProjectMissing", () => Effect.succeed({ position: 0 })),
            refuse
          )
        )
        return lastOf(limited)
      }, Effect.provide(services)),
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
