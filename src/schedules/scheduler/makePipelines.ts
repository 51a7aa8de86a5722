import { Effect } from "effect"
import { createPipeline, targetOf } from "../../pipelines/Pipelines.ts"
import { handle, load } from "../../platform/Commands.ts"
import { can, principalOf } from "../../projects/Projects.ts"
import { isProtectedRef, mayUpdateRef } from "../../pushes/Pushes.ts"
import { scheduleAggregate } from "../aggregate.ts"
import type { StartedSlot } from "../Queries.ts"
import { slotAggregate } from "../slots/aggregate.ts"
import { variablesOf } from "../variables/values.ts"
import { type Authority, authorityOf, isAuthority } from "./authorities.ts"

/** What a schedule says of its pipelines, and as whom it makes them. */
export interface Maker {
  readonly authority: Authority
  readonly scheduleId: number
  readonly description: string
  /** The full name of a branch or tag. */
  readonly ref: string
  readonly hasVariables: boolean
}

/** Slots of a schedule that were started just now, in order. */
export interface Begun {
  readonly maker: Maker
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

/** Makes the pipeline of a slot, as the owner of the schedule. */
const makePipeline = Effect.fnUntraced(function* (
  { authority, description, hasVariables, ref, scheduleId }: Maker,
  { at, pipelineId }: StartedSlot,
  { isNew, serverUrl }: Making
) {
  const { found, owner, policy } = authority
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
    variables: hasVariables ? yield* variablesOf(scheduleId) : [],
    serverUrl,
    schedule: { id: scheduleId, description, scheduledFor: at },
    keepsFaults: true,
    isNew
  })
  return pipeline._tag === "Created" ? created : failed(pipeline.texts.join(", "))
})

const endSlot = ({ at, scheduleId }: StartedSlot, end: Outcome) =>
  Effect.asVoid(handle(slotAggregate, { scheduleId, at }, { _tag: "End", end }))

/** Makes the pipelines of slots that were started. Each ends its slot, but where there can be none. */
export const makePipelines = Effect.fn("schedules.makePipelines")(function* ({ maker, slots }: Begun, serverUrl: string) {
  for (const slot of slots) {
    const outcome = yield* makePipeline(maker, slot, { serverUrl, isNew: true })
    if (outcome.outcome === "failed") yield* endSlot(slot, outcome)
  }
})

/** What a schedule that is there makes pipelines of, if somebody lets it. */
const makerOf = Effect.fnUntraced(function* (scheduleId: number) {
  const { state } = yield* load(scheduleAggregate, scheduleId)
  if (state._tag !== "Present") return undefined
  const { description, ref } = state.schedule.settings
  const authority = yield* authorityOf(state.schedule)
  const maker: Maker | undefined = isAuthority(authority)
    ? { authority, scheduleId, description, ref, hasVariables: true }
    : undefined
  return maker
})

/** Does what is left to do for a slot that a process started which is gone. */
export const finishSlot = Effect.fn("schedules.finishSlot")(function* (slot: StartedSlot, serverUrl: string) {
  const maker = yield* makerOf(slot.scheduleId)
  const outcome = maker && (yield* makePipeline(maker, slot, { serverUrl, isNew: false }))
  yield* endSlot(slot, outcome ?? failed("The schedule or its owner is gone"))
})
