import type { Position } from "../eventStore/EventStore.ts"

/** How far a log was read by somebody who finishes its events in any order. */
export class Progress {
  #read: Position
  /** Positions in the order of the log, each with the one behind which it is found again. */
  readonly #unfinished = new Map<Position, Position>()

  constructor(checkpoint: Position) {
    this.#read = checkpoint
  }

  /** Nothing up to here is left to begin. */
  read(position: Position): void {
    this.#read = Math.max(this.#read, position)
  }

  begin(position: Position): void {
    this.#unfinished.set(position, this.#read)
    this.#read = position
  }

  finish(position: Position): void {
    this.#unfinished.delete(position)
  }

  /** Up to where the log was read. */
  get readTo(): Position {
    return this.#read
  }

  /** What was begun and is not finished, in the order of the log. */
  get unfinished(): ReadonlyArray<Position> {
    return [...this.#unfinished.keys()]
  }

  /** Behind it is all that is not finished. */
  get checkpoint(): Position {
    const [first] = this.#unfinished.values()
    return first ?? this.#read
  }
}
