import { Effect } from "effect"
import type { ReadAnswer } from "./answers.ts"
import type { Connection } from "./connection.ts"
import { type ConnectionLost, failure } from "./failures.ts"
import { type LogPlace, subscribeRequest } from "./protocol.ts"

/** The server is held back while this much waits to be taken. */
const capacityBytes = 8 * 1024 * 1024
const capacityAnswers = 1_000

export interface Inbox {
  /** Returns as soon as something is there; fails when nothing can come any more. */
  readonly waiting: Effect.Effect<void, ConnectionLost>
  /** Everything that has arrived, in the server's order. */
  readonly take: () => ReadonlyArray<ReadAnswer>
  readonly close: () => void
}

/** Opens one subscription call to the server. */
export const openInbox = (connection: Connection, after: LogPlace | undefined): Inbox => {
  let arrived: Array<ReadAnswer> = []
  let bytes = 0
  let paused = false
  let lost: { readonly cause: unknown } | undefined
  let wake = () => {}

  const call = connection.open(subscribeRequest(after), {
    answer: (answer) => {
      arrived.push(answer)
      bytes += answer.event?.bytes ?? 0
      if (bytes > capacityBytes || arrived.length >= capacityAnswers) {
        paused = true
        call.pause()
      }
      wake()
    },
    lost: (cause) => {
      lost ??= { cause }
      wake()
    }
  })

  return {
    close: call.close,
    take: () => {
      const taken = arrived
      arrived = []
      bytes = 0
      if (paused) call.resume()
      paused = false
      return taken
    },
    waiting: Effect.callback((resume) => {
      wake = () => {
        if (arrived.length > 0) resume(Effect.void)
        else if (lost !== undefined) resume(failure(lost.cause))
      }
      wake()
    })
  }
}
