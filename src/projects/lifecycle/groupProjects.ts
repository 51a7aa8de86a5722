import { Effect, Layer } from "effect"
import type { Repositories } from "../../git/Repositories.ts"
import type { RepositoryTasks } from "../../git/RepositoryTasks.ts"
import { GroupProjects } from "../../groups/GroupProjects.ts"
import type { Groups } from "../../groups/Groups.ts"
import type { Caller } from "../../http/access/Caller.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import type { Markdown } from "../../markdown/Markdown.ts"
import { type Handled, handle } from "../../platform/Commands.ts"
import type { EventStore } from "../../platform/eventStore/EventStore.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import type { NameHolders } from "../../platform/NameHolders.ts"
import { changesFound } from "../../platform/repeats.ts"
import { PersonalProjects } from "../../users/PersonalProjects.ts"
import { projectAggregate } from "../aggregate.ts"
import type { Refusal } from "../errors.ts"
import type { Projects } from "../Projects.ts"
import { type ProjectFilter, ProjectQueries, viewerOf } from "../Queries.ts"
import { presentFull } from "../reads/present.ts"
import { presentAll, presentAllSimple } from "../reads/view.ts"
import { refuse } from "../refuse.ts"
import { RepositoryStorage } from "../repository/RepositoryStorage.ts"
import { requireTransferable, transferred } from "./transferHandlers.ts"
import { removeProject } from "./writes.ts"

const shownAtMost = 100

/** Repositories of a namespace, which may have thousands, that are counted at the same time. */
const countedAtOnce = 8

interface ListInput {
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

/** Does something to each of these projects, of which some may be gone by now. Answers where the log stands then, 0 for nothing. */
const each = Effect.fnUntraced(function* <R>(
  ids: ReadonlyArray<number>,
  write: (id: number) => Effect.Effect<Pick<Handled<unknown, unknown>, "position">, Refusal, R>
) {
  const positions = yield* Effect.forEach(ids, (id) =>
    refuse(
      Effect.catchTag(
        Effect.map(write(id), ({ position }) => position),
        "ProjectMissing",
        () => Effect.succeed(0)
      )
    )
  )
  return positions.reduce((last, position) => Math.max(last, position), 0)
})

const shownOf = Effect.fnUntraced(function* (place: Pick<ProjectFilter, "namespace" | "sharedWith">, input: ListInput) {
  const filter = { viewer: viewerOf(input.caller), ...place, order: { by: "id", descending: true } } as const
  const ids = yield* ProjectQueries.use((projects) => projects.list(filter, { limit: shownAtMost, offset: 0 }))
  const { caller } = input
  return yield* caller === undefined ? presentAllSimple(ids, input) : presentAll(ids, presentFull, { ...input, caller })
})

type Needed =
  | EventStore
  | Groups
  | Markdown
  | NameHolders
  | Projects
  | ProjectQueries
  | Repositories
  | RepositoryStorage
  | RepositoryTasks

/** Answers what groups ask about projects. */
export const layerGroupProjects: Layer.Layer<GroupProjects, never, Needed> = Layer.effect(
  GroupProjects,
  Effect.gen(function* () {
    const services = yield* Effect.context<Needed>()
    const queries = yield* ProjectQueries
    return GroupProjects.of({
      shown: Effect.fnUntraced(
        function* ({ groupId, ...input }) {
          const { isFilled, isInvited } = yield* queries.aroundGroup(groupId)
          return {
            projects: isFilled ? yield* shownOf({ namespace: { id: groupId, withDescendants: false } }, input) : [],
            sharedProjects: isInvited ? yield* shownOf({ sharedWith: groupId }, input) : []
          }
        },
        Effect.provide(services),
        spanned("GroupProjects.shown")
      ),
      bytes: Effect.fnUntraced(
        function* (namespaceId) {
          const [storage, tips] = [yield* RepositoryStorage, yield* queries.tips(yield* queries.idsIn([namespaceId]))]
          const counted = yield* Effect.forEach(tips, ([id, tip]) => storage.figures(id, tip), { concurrency: countedAtOnce })
          return counted.reduce((sum, { bytes }) => sum + bytes, 0)
        },
        Effect.provide(services),
        spanned("GroupProjects.bytes")
      ),
      highestVisibility: queries.highestVisibility,
      transferIn: Effect.fnUntraced(
        function* ({ groupId, project: id, ...input }) {
          const found = requireTransferable({ ...input, parameters: { id } })
          return yield* changesFound(projectAggregate, found, (project) => transferred(project, String(groupId), input.caller))
        },
        Effect.provide(services),
        spanned("GroupProjects.transferIn")
      ),
      limitVisibility: Effect.fnUntraced(
        function* (namespaceIds, maxVisibility) {
          const ids = yield* queries.idsIn(namespaceIds, maxVisibility)
          return yield* each(ids, (id) => handle(projectAggregate, id, { _tag: "LimitVisibility", maxVisibility }))
        },
        Effect.provide(services),
        spanned("GroupProjects.limitVisibility")
      ),
      removeAll: Effect.fnUntraced(
        function* (namespaceId) {
          return yield* each(yield* queries.idsIn([namespaceId]), removeProject)
        },
        Effect.provide(services),
        spanned("GroupProjects.removeAll")
      ),
      removeMember: Effect.fnUntraced(
        function* (namespaceIds, userId) {
          const ids = yield* queries.membershipsIn(yield* queries.idsIn(namespaceIds), userId)
          return yield* each(ids, (id) => handle(projectAggregate, id, { _tag: "EndMembership", userId }))
        },
        Effect.provide(services),
        spanned("GroupProjects.removeMember")
      )
    })
  })
)

/** Answers what users ask about projects: the namespace of a user is emptied as that of a group. */
export const layerPersonalProjects: Layer.Layer<PersonalProjects, never, GroupProjects> = Layer.effect(
  PersonalProjects,
  GroupProjects.use(({ removeAll }) => Effect.succeed({ removeAll }))
)
