import {
  AccessDeniedError,
  convertToCommandError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  WrongExpectedVersionError
} from "@eventstore/db-client"
import { Data, Effect, Schedule } from "effect"
import { EventStoreUnavailable } from "../EventStore.ts"
import type { AppendAnswer } from "./protocol.ts"

/** The server did not answer, or cannot now. Every call of this adapter may be repeated. */
export class ConnectionLost extends Data.TaggedError("ConnectionLost")<{ readonly cause: unknown }> {}

/** The server's own limit, smaller than the adapter's, or the limit of a gRPC message. */
export class ServerRefusedSize extends Data.TaggedError("ServerRefusedSize")<{ readonly limit: number | undefined }> {}

/** Statuses of gRPC. */
const [resourceExhausted, unauthenticated] = [8, 16]

const asError = (thrown: unknown): Error => (thrown instanceof Error ? convertToCommandError(thrown) : new Error(String(thrown)))

const isFault = (error: Error) =>
  error instanceof InvalidArgumentError || error instanceof RangeError || error instanceof SyntaxError

/** What the server says, where somebody has to mend something there first. */
const refusalOf = (error: Error): string | undefined => {
  if (error instanceof StreamDeletedError)
    return `stream ${error.streamName} was deleted in EventStoreDB; restore it from a backup`
  if (!(error instanceof AccessDeniedError)) return undefined
  return error.code === unauthenticated
    ? "EventStoreDB does not know the user of EVENTSTORE_URL, or the password is wrong"
    : "EventStoreDB denies access: the user of EVENTSTORE_URL has to be one of $admins, or to be let read $all and write"
}

/** A failure that repeating would not mend is a defect. */
export const failure = (thrown: unknown): Effect.Effect<never, ConnectionLost> => {
  const error = asError(thrown)
  const refusal = refusalOf(error)
  if (refusal !== undefined) return Effect.die(new EventStoreUnavailable({ cause: refusal }))
  return isFault(error) ? Effect.die(error) : Effect.fail(new ConnectionLost({ cause: error }))
}

export const appendFailure = (thrown: unknown): Effect.Effect<AppendAnswer, ConnectionLost | ServerRefusedSize> => {
  const error = asError(thrown)
  if (error instanceof WrongExpectedVersionError) return Effect.succeed({ _tag: "Conflict" })
  if (error instanceof MaxAppendSizeExceededError) return Effect.fail(new ServerRefusedSize({ limit: error.maxAppendSize }))
  if ("code" in error && error.code === resourceExhausted) return Effect.fail(new ServerRefusedSize({ limit: undefined }))
  return failure(error)
}

/** Long enough for an election in a cluster, and for most restarts of a single server. */
const firstDelay = "25 millis"
const backoff = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("500 millis")]).pipe(
  Schedule.jittered,
  Schedule.upTo({ duration: "10 seconds" })
)

const isLost = (error: unknown): error is ConnectionLost => error instanceof ConnectionLost

/**
 * Repeats a call after a lost connection for ten seconds; a call that is answered late takes at most half a minute. The first time it may
 * be another one.
 */
export const retryOnConnectionLoss = <A, E>(
  call: Effect.Effect<A, E | ConnectionLost>,
  first: Effect.Effect<A, E | ConnectionLost> = call
): Effect.Effect<A, Exclude<E, ConnectionLost>> => {
  const repeated = Effect.delay(Effect.retry(call, { while: isLost, schedule: backoff }), firstDelay)
  return first.pipe(
    Effect.catch((error) => (isLost(error) ? repeated : Effect.fail(error))),
    Effect.timeoutOrElse({
      duration: "30 seconds",
      orElse: () => Effect.die(new EventStoreUnavailable({ cause: "no answer within 30 seconds" }))
    }),
    Effect.catch((error) =>
      isLost(error)
        ? Effect.die(new EventStoreUnavailable({ cause: error.cause }))
        : Effect.fail(error as Exclude<E, ConnectionLost>)
    )
  )
}
