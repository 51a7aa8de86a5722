import { Deferred, Effect } from "effect"
import type { Position } from "#src/platform/eventStore/EventStore.ts"

interface Waiter {
  readonly position: Position
  readonly reached: Deferred.Deferred<void>
}

/** How far the live read models are, as this process knows it, and who waits for them. */
export class Progress {
  position: Position = 0
  parkedStreams = 0
  leader = false
  readonly #waiting = new Set<Waiter>()

  /** Notes that every read model has passed `position`; a lower one than before changes nothing. */
  advance(position: Position, parkedStreams: number): void {
    this.parkedStreams = parkedStreams
    if (position <= this.position) return
    this.position = position
    for (const waiter of this.#waiting) {
      if (waiter.position > position) continue
      this.#waiting.delete(waiter)
      Deferred.doneUnsafe(waiter.reached, Effect.void)
    }
  }

  /** Returns when every read model has passed `position`. */
  awaitPosition(position: Position): Effect.Effect<void> {
    return position <= this.position ? Effect.void : this.#wait(position)
  }

  readonly #wait = Effect.fnUntraced({ self: this }, function* (position: Position) {
    const waiter = { position, reached: yield* Deferred.make<void>() }
    this.#waiting.add(waiter)
    yield* Deferred.await(waiter.reached).pipe(Effect.ensuring(Effect.sync(() => this.#waiting.delete(waiter))))
  })
}
