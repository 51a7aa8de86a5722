import { Effect } from "effect"
import type { Parent } from "../parents/Parent.ts"
import { guardOf, handle, load, requireAcceptable } from "../platform/Commands.ts"
import { nextId, nextNumber } from "../platform/Ids.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { type Change, type Create, creationFaults, MilestoneInvalid, MilestoneMissing, milestoneAggregate } from "./aggregate.ts"
import type { MilestoneSettings } from "./events.ts"
import { MilestoneQueries } from "./Queries.ts"
import { releaseTitle, reserveTitle } from "./titles.ts"

const numberKinds = { project: "project_milestone", group: "group_milestone" } as const

/** Creates a milestone. A refused one keeps no title and takes no number. */
export const createMilestone = Effect.fnUntraced(function* (parent: Parent, settings: MilestoneSettings) {
  const { highestNumber, isTitleTaken } = yield* MilestoneQueries
  const place = { parent, title: settings.title }
  const titleTaken = yield* isTitleTaken(parent, settings.title)
  const faults = creationFaults({ settings, titleTaken })
  if (faults.length > 0) return yield* new MilestoneInvalid({ faults })
  const id = yield* nextId("milestone")
  const guard = yield* guardOf(reserveTitle(place, id))
  const iid = yield* nextNumber(numberKinds[parent.kind], parent.id, highestNumber(parent.kind))
  const create: Create = { _tag: "Create", parent, iid, settings, titleTaken }
  const handled = yield* handle(milestoneAggregate, id, create, { guard }).pipe(Effect.tapError(() => releaseTitle(place, id)))
  return { ...handled, id }
}, spanned("milestones.create"))

type Changed = Pick<Change, "changes" | "stateEvent">

/** Changes a milestone, maybe its title. */
const retitle = Effect.fnUntraced(function* (id: number, { changes, stateEvent }: Changed, title: string) {
  const { state } = yield* load(milestoneAggregate, id)
  if (state._tag !== "Present") return yield* new MilestoneMissing()
  const { parent, settings } = state.milestone
  const { title: _, ...others } = changes
  // The title that it has is not reserved again: it would come back although another change gave it away meanwhile.
  if (title === settings.title) return yield* changeOthers(id, { changes: others, stateEvent })
  const titleTaken = yield* MilestoneQueries.use((milestones) => milestones.isTitleTaken(parent, title, id))
  const command: Change = { _tag: "Change", changes, stateEvent, titleTaken }
  yield* requireAcceptable(milestoneAggregate, state, command)
  const guard = yield* guardOf(reserveTitle({ parent, title }, id))
  const changed = handle(milestoneAggregate, id, command, { guard })
  const handled = yield* Effect.tapError(changed, () => releaseTitle({ parent, title }, id))
  yield* releaseTitle({ parent, title: settings.title }, id)
  return handled
})

const changeOthers = (id: number, changed: Changed) =>
  handle(milestoneAggregate, id, { _tag: "Change", ...changed, titleTaken: false })

/** Changes a milestone; absent settings stay as they are. */
export const changeMilestone = (id: number, changed: Changed) =>
  spanned("milestones.change")(
    changed.changes.title === undefined ? changeOthers(id, changed) : retitle(id, changed, changed.changes.title)
  )

/** Deletes a milestone. Its title is free then, its number is not given again. */
export const deleteMilestone = Effect.fnUntraced(function* (id: number) {
  const { state } = yield* load(milestoneAggregate, id)
  const handled = yield* handle(milestoneAggregate, id, { _tag: "Delete" })
  if (state._tag === "Present") {
    const { parent, settings } = state.milestone
    yield* releaseTitle({ parent, title: settings.title }, id)
  }
  return handled
}, spanned("milestones.delete"))
