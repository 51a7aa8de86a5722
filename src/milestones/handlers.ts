import { Clock, Effect } from "effect"
import { badRequest, forbidden, notFound, type WireError } from "../http/answer/errors.ts"
import { type Listed, pageOf } from "../http/answer/pagination.ts"
import { noContent, ok, page } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { route } from "../http/Endpoint.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { type FoundParent, inGroup, inProject, type ParentInput } from "../parents/requireParent.ts"
import { changes, creates } from "../platform/repeats.ts"
import { type Change, milestoneAggregate, type Refusal } from "./aggregate.ts"
import {
  addToGroup,
  addToProject,
  changeOfGroup,
  changeOfProject,
  listOfGroup,
  listOfProject,
  readOfGroup,
  readOfProject,
  removeFromGroup,
  removeFromProject
} from "./contract.ts"
import { changesOf, type Filters, filterOf, settingsOf } from "./input.ts"
import { inspectFaults, presentMilestone, presentOfGroup, presentOfProject } from "./present.ts"
import { MilestoneQueries, type MilestoneRow } from "./Queries.ts"
import { requireMilestone, requireReadable } from "./requireMilestone.ts"
import { changeMilestone, createMilestone, deleteMilestone } from "./writes.ts"

const refuse = <A, R>(written: Effect.Effect<A, Refusal | WireError, R>, verb: "create" | "update") =>
  Effect.catchTags(written, {
    MilestoneInvalid: ({ faults }) => Effect.fail(badRequest(`Failed to ${verb} milestone ${inspectFaults(faults)}`)),
    MilestoneMissing: () => Effect.fail(notFound),
    MilestoneExists: (refusal) => Effect.die(refusal)
  })

const viewOf = ({ externalUrl }: RequestInfo) => Effect.map(Clock.currentTimeMillis, (now) => ({ externalUrl, now }))

const listed = Effect.fnUntraced(function* (
  { may, parent }: FoundParent,
  parameters: ParentInput["parameters"] & Filters
): Effect.fn.Return<Listed<MilestoneRow>, WireError, MilestoneQueries> {
  if (!may("read_milestones")) return yield* forbidden
  return yield* MilestoneQueries.use((milestones) =>
    milestones.list({ ...filterOf(parameters), parent }, pageOf({ ...parameters }))
  )
})

interface NamedInput extends ParentInput {
  readonly parameters: ParentInput["parameters"] & { readonly milestone_id: number | null }
}

const added = Effect.fnUntraced(function* (
  found: FoundParent,
  { parameters }: { readonly parameters: Parameters<typeof settingsOf>[0] }
) {
  if (!found.may("manage_milestones")) return yield* forbidden
  const make = refuse(createMilestone(found.parent, settingsOf(parameters)), "create")
  const created = yield* creates(milestoneAggregate, make)
  yield* awaitReadModels(created)
  return yield* requireMilestone(found, created.id)
})

interface ChangeInput extends NamedInput {
  readonly parameters: NamedInput["parameters"] &
    Parameters<typeof changesOf>[0] & { readonly state_event?: Change["stateEvent"] }
}

const changed = Effect.fnUntraced(function* (found: FoundParent, { parameters }: ChangeInput) {
  if (!found.may("manage_milestones")) return yield* forbidden
  const { id } = yield* requireMilestone(found, parameters.milestone_id)
  const change = { changes: changesOf(parameters), stateEvent: parameters.state_event ?? null }
  yield* awaitReadModels(yield* changes(milestoneAggregate, id, refuse(changeMilestone(id, change), "update")))
  return yield* requireMilestone(found, id)
})

const removed = Effect.fnUntraced(function* (found: FoundParent, { parameters }: NamedInput) {
  if (!found.may("manage_milestones")) return yield* forbidden
  const id = parameters.milestone_id ?? (yield* notFound)
  // In a repeat it is deleted already.
  yield* changes(milestoneAggregate, id, requireMilestone(found, id))
  yield* awaitReadModels(yield* refuse(deleteMilestone(id), "update"))
  return noContent
})

/** Presents what is done with a milestone of a project. */
const shownOfProject = Effect.fnUntraced(function* (row: MilestoneRow, { parent }: FoundParent, request: RequestInfo) {
  return ok(presentOfProject(row, parent.id, yield* viewOf(request)))
})

const shownOfGroup = Effect.fnUntraced(function* (row: MilestoneRow, { parent }: FoundParent, request: RequestInfo) {
  return ok(presentOfGroup(row, parent.id, yield* viewOf(request)))
})

const ofProjects = [
  route(
    listOfProject,
    Effect.fnUntraced(function* (input) {
      const { extent, rows } = yield* listed(yield* inProject(input), input.parameters)
      const view = yield* viewOf(input.request)
      return page(
        rows.map((row) => presentMilestone(row, view)),
        extent
      )
    })
  ),
  route(
    readOfProject,
    Effect.fnUntraced(function* (input) {
      const found = yield* inProject(input)
      return yield* shownOfProject(yield* requireReadable(found, input.parameters.milestone_id), found, input.request)
    })
  ),
  route(
    addToProject,
    Effect.fnUntraced(function* (input) {
      const found = yield* inProject(input)
      return yield* shownOfProject(yield* added(found, input), found, input.request)
    })
  ),
  route(
    changeOfProject,
    Effect.fnUntraced(function* (input) {
      const found = yield* inProject(input)
      return yield* shownOfProject(yield* changed(found, input), found, input.request)
    })
  ),
  route(
    removeFromProject,
    Effect.fnUntraced(function* (input) {
      return yield* removed(yield* inProject(input), input)
    })
  )
]

const ofGroups = [
  route(
    listOfGroup,
    Effect.fnUntraced(function* (input) {
      const { extent, rows } = yield* listed(yield* inGroup(input), input.parameters)
      const view = yield* viewOf(input.request)
      return page(
        // Above a group there are only groups.
        rows.flatMap((row) => (row.group_id === null ? [] : [presentOfGroup(row, row.group_id, view)])),
        extent
      )
    })
  ),
  route(
    readOfGroup,
    Effect.fnUntraced(function* (input) {
      const found = yield* inGroup(input)
      return yield* shownOfGroup(yield* requireReadable(found, input.parameters.milestone_id), found, input.request)
    })
  ),
  route(
    addToGroup,
    Effect.fnUntraced(function* (input) {
      const found = yield* inGroup(input)
      return yield* shownOfGroup(yield* added(found, input), found, input.request)
    })
  ),
  route(
    changeOfGroup,
    Effect.fnUntraced(function* (input) {
      const found = yield* inGroup(input)
      return yield* shownOfGroup(yield* changed(found, input), found, input.request)
    })
  ),
  route(
    removeFromGroup,
    Effect.fnUntraced(function* (input) {
      return yield* removed(yield* inGroup(input), input)
    })
  )
]

export const milestoneRoutes = [...ofProjects, ...ofGroups]
