import { Effect } from "effect"
import type { Caller, UserRow } from "../../http/access/Caller.ts"
import { thingNotFound } from "../../http/answer/errors.ts"
import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { type OtherReply, ok, page } from "../../http/answer/Reply.ts"
import { userReference } from "../../http/answer/shapes.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { defined } from "../../kernel/defined.ts"
import { handle } from "../../platform/Commands.ts"
import { Users } from "../../users/Users.ts"
import { requireProject } from "../Projects.ts"
import { ProjectQueries, type StarrerRow, viewerOf } from "../Queries.ts"
import { listed } from "../reads/handlers.ts"
import { presentWritten } from "../reads/view.ts"
import { type Command, starAggregate } from "./aggregate.ts"
import { listStarredProjects, listStarrers, type Starrer, starProject, unstarProject } from "./contract.ts"

const notModified: OtherReply<304, undefined> = { status: 304, body: undefined }

/** Whoever may read a project may star it, archived ones too. */
const starring = (declared: typeof starProject, command: Command["_tag"]) =>
  route(
    declared,
    Effect.fnUntraced(function* (input) {
      const { project } = yield* requireProject(input)
      const star = { projectId: project.id, userId: input.caller.user.id }
      const handled = yield* handle(starAggregate, star, { _tag: command, ...star })
      yield* awaitReadModels(handled)
      return handled.events.length === 0 ? notModified : ok(yield* presentWritten(project.id, input))
    })
  )

const presentStarrer = (row: StarrerRow, externalUrl: string): typeof Starrer.Type => ({
  starred_since: isoMillis(row.starred_at),
  user: userReference(row, externalUrl)
})

const starrers = route(
  listStarrers,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const { project } = yield* requireProject(input)
    const filter = defined({ viewer: viewerOf(caller), search: parameters.search || undefined })
    const { rows, total } = yield* ProjectQueries.use((projects) => projects.starrers(project.id, filter, pageOf(parameters)))
    return page(
      rows.map((row) => presentStarrer(row, request.externalUrl)),
      total
    )
  })
)

/** Private profiles tell nothing to others, and those of users who are shut out neither. */
const showsStars = ({ id, private_profile, state }: UserRow, caller: Caller | undefined): boolean =>
  caller?.user.admin === true || caller?.user.id === id || (state === "active" && !private_profile)

const starred = route(
  listStarredProjects,
  Effect.fnUntraced(function* (input) {
    const user = yield* Users.use((users) => users.findByIdOrUsername(input.parameters.user_id ?? ""))
    if (user === undefined) return yield* thingNotFound("User")
    return showsStars(user, input.caller) ? yield* listed(input, { starrer: user.id }) : page([], 0)
  })
)

export const starRoutes = [starring(starProject, "Star"), starring(unstarProject, "Unstar"), starrers, starred]
