import type { Position, RecordedEvent } from "../eventStore/EventStore.ts"
import type { LogFault, LogFaultKind } from "./LogFault.ts"

/** How a store orders its log. */
export interface LogOrder {
  /** Positions count 1, 2, 3, ..., and no event is recorded earlier than the one before, whichever its stream. */
  readonly serialized: boolean
}

const faultAt = (kind: LogFaultKind, event: RecordedEvent, expected: string, found: string): LogFault => ({
  kind,
  stream: event.stream,
  revision: event.revision,
  position: event.position,
  expected,
  found
})

const instant = (millis: number): string => new Date(millis).toISOString()

/** Follows positions and times over the whole log. */
export class OrderCheck {
  readonly #order: LogOrder
  #position: Position = 0
  #at = 0
  #gap: LogFault | undefined
  #setback: LogFault | undefined

  constructor(order: LogOrder) {
    this.#order = order
  }

  get faults(): ReadonlyArray<LogFault> {
    return [this.#gap, this.#setback].filter((fault) => fault !== undefined)
  }

  /** The position of the last event so far. */
  get position(): Position {
    return this.#position
  }

  add(event: RecordedEvent): void {
    const { at, position } = event
    if (this.#gap === undefined && !this.#follows(position)) {
      const expected = this.#order.serialized ? `position ${this.#position + 1}` : `a position after ${this.#position}`
      this.#gap = faultAt("position", event, expected, `position ${position}`)
    }
    if (this.#setback === undefined && this.#order.serialized && at < this.#at) {
      this.#setback = faultAt("time", event, `a time not before ${instant(this.#at)}`, instant(at))
    }
    this.#position = position
    this.#at = at
  }

  #follows(position: Position): boolean {
    return this.#order.serialized ? position === this.#position + 1 : position > this.#position
  }
}
