import { nextRun, type Timing } from "./nextRun.ts"
import type { Slot } from "./nextSlot.ts"

export interface Span {
  /** The span begins after this instant. */
  readonly from: number
  /** The span ends with this instant. */
  readonly to: number
}

interface Slots {
  readonly slots: ReadonlyArray<Slot>
  readonly hasMore: boolean
}

/** The runs of a span of time, in order, at most that many, and whether there are more. It may pause after each of them. */
export function* slotsBetween(timing: Timing, { from, to }: Span, limit: number): Generator<void, Slots, void> {
  const slots: Array<Slot> = []
  let next = nextRun(timing, from)
  while (next !== undefined && next.at <= to && slots.length < limit) {
    slots.push(next)
    yield
    next = nextRun(timing, next.at)
  }
  return { slots, hasMore: next !== undefined && next.at <= to }
}
