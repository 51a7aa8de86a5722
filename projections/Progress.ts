import { Effect } from "effect"
import type { Position } from "#src/platform/eventStore/EventStore.ts"

interface Waiter {
  readonly position: Position
  readonly tell: (hasArrived: boolean) => void
}

/** How long somebody waits, and in which intervals it is looked meanwhile whether that is over. */
interface Waiting {
  readonly maxMillis: number
  readonly lookMillis: number
  readonly look: () => void
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
      waiter.tell(true)
    }
  }

  /** Waits until every read model is beyond `position`, however long that takes. */
  awaitBeyond(position: Position): Effect.Effect<void> {
    return Effect.callback((resume) => {
      if (position < this.position) return resume(Effect.void)
      const waiter: Waiter = {
        position: position + 1,
        tell: () => {
          this.#waiting.delete(waiter)
          resume(Effect.void)
        }
      }
      this.#waiting.add(waiter)
      return Effect.sync(() => void this.#waiting.delete(waiter))
    })
  }

  /** Waits until every read model has passed `position`, and answers whether that was in time. Every write does, so it starts no fibers. */
  awaitPosition(position: Position, { look, lookMillis, maxMillis }: Waiting): Effect.Effect<boolean> {
    return Effect.callback((resume) => {
      if (position <= this.position) return resume(Effect.succeed(true))
      const waiter: Waiter = {
        position,
        tell: (hasArrived) => {
          end()
          resume(Effect.succeed(hasArrived))
        }
      }
      const looking = setInterval(look, lookMillis)
      const limit = setTimeout(() => waiter.tell(false), maxMillis)
      const end = () => {
        this.#waiting.delete(waiter)
        clearInterval(looking)
        clearTimeout(limit)
      }
      this.#waiting.add(waiter)
      return Effect.sync(end)
    })
  }
}
