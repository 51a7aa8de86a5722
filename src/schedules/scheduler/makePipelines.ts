import { Effect, HashMap } from "effect"
import { createPipeline, targetOf } from "../../pipelines/Pipelines.ts"
import { handle, load } from "../../platform/Commands.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { can, principalOf } from "../../projects/Projects.ts"
import { isProtectedRef, mayUpdateRef } from "../../pushes/Pushes.ts"
import { Users } from "../../users/Users.ts"
import { scheduleAggregate } from "../aggregate.ts"
import type { StartedSlot } from "../Queries.ts"
import { slotAggregate } from "../slots/aggregate.ts"
import type { Schedule } from "../state.ts"
import { variablesOf } from "../variableValues.ts"
import { type Authority, authorityOf, isAuthority } from "./authorities.ts"

/** Slots of a schedule that were started just now, in order, with as whom it runs. */
export interface Begun {
  readonly authority: Authority
  readonly scheduleId: number
  readonly slots: ReadonlyArray<StartedSlot>
}

interface Outcome {
  readonly outcome: "created" | "failed"
  readonly message?: string
}

const created: Outcome = { outcome: "created" }
const failed = (message: string): Outcome => ({ outcome: "failed", message })

interface Making {
  /** Links begin with it. */
  readonly serverUrl: string
  /** Whether the slot was started just now, so that there is no pipeline yet. */
  readonly isNew: boolean
}

/** Makes the pipeline of a slot of a schedule, as its owner. */
const createOf = Effect.fnUntraced(function* (
  { at, pipelineId, scheduleId }: StartedSlot,
  { settings: { description, ref }, variables }: Schedule,
  { found, owner, policy }: Authority,
  { isNew, serverUrl }: Making
) {
  const target = targetOf(ref)
  if (!can("create_pipeline", principalOf({ user: owner }, found.role), found.project) || !mayUpdateRef(policy, target)) {
    return failed(`The owner of the schedule may not run pipelines on ${ref}`)
  }
  const pipeline = yield* createPipeline({
    id: pipelineId,
    project: found.project,
    ref,
    isProtected: isProtectedRef(policy, target),
    source: "schedule",
    by: owner,
    variables: HashMap.size(variables) === 0 ? [] : yield* variablesOf(scheduleId),
    serverUrl,
    schedule: { id: scheduleId, description, scheduledFor: at },
    isNew
  })
  return pipeline._tag === "Created" ? created : failed(pipeline.texts.join(", "))
})

/** The schedule as it is by now; undefined for none. */
const presentSchedule = Effect.fnUntraced(function* (id: number) {
  const { state } = yield* load(scheduleAggregate, id)
  return state._tag === "Present" ? state.schedule : undefined
})

/**
 * The schedule and as whom it runs, as both are by now. Projects and rights are those that were found for others of the same round, if they
 * were.
 */
const presentState = Effect.fnUntraced(function* ({ scheduleId }: StartedSlot, known: Authority | undefined) {
  const knownOwner = known === undefined ? Effect.undefined : Users.use((users) => users.find(known.owner.id))
  const { owner, schedule } = yield* Effect.all(
    { schedule: presentSchedule(scheduleId), owner: knownOwner },
    { concurrency: "unbounded" }
  )
  if (schedule === undefined) return { schedule }
  const isKnown = owner?.id === schedule.ownerId && owner.state === "active"
  return { schedule, authority: isKnown && known !== undefined ? known : yield* authorityOf(schedule) }
})

/** Makes the pipeline of a slot, unless its schedule or owner has gone since it was started. */
const makePipeline = Effect.fnUntraced(function* (slot: StartedSlot, making: Making, known?: Authority) {
  const { authority, schedule } = yield* presentState(slot, known)
  if (schedule === undefined) return failed("The schedule was deleted")
  if (!isAuthority(authority)) return failed("The owner of the schedule or its project is gone")
  return yield* createOf(slot, schedule, authority, making)
})

const endSlot = ({ at, scheduleId }: StartedSlot, end: Outcome) =>
  Effect.asVoid(handle(slotAggregate, { scheduleId, at }, { _tag: "End", end }))

/** Makes the pipelines of slots that were started. Each ends its slot, but where there can be none. */
export const makePipelines = Effect.fnUntraced(function* ({ authority, slots }: Begun, serverUrl: string) {
  for (const slot of slots) {
    const outcome = yield* makePipeline(slot, { serverUrl, isNew: true }, authority)
    if (outcome.outcome === "failed") yield* endSlot(slot, outcome)
  }
}, spanned("schedules.makePipelines"))

/** Does what is left to do for a slot that a process started which is gone. */
export const finishSlot = Effect.fnUntraced(function* (slot: StartedSlot, serverUrl: string) {
  yield* endSlot(slot, yield* makePipeline(slot, { serverUrl, isNew: false }))
}, spanned("schedules.finishSlot"))

/** Ends a slot at which the service failed again and again. */
export const abandonSlot = (slot: StartedSlot) => endSlot(slot, failed("The service failed to make the pipeline"))
