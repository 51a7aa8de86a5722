import {
  AccessDeniedError,
  convertToCommandError,
  type EventStoreDBClient,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  WrongExpectedVersionError
} from "@eventstore/db-client"
import { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js"
import type { AppendReq, AppendResp, ReadReq, ReadResp } from "@eventstore/db-client/generated/streams_pb.js"
import { Data, Effect, Schedule, type Scope } from "effect"
import { EventStoreUnavailable } from "../EventStore.ts"
import { type AppendAnswer, appendAnswer } from "./protocol.ts"

/** The server did not answer, or cannot now. Every call of this adapter may be repeated. */
export class ConnectionLost extends Data.TaggedError("ConnectionLost")<{ readonly cause: unknown }> {}

/** The server's own limit, smaller than the adapter's, or the limit of a gRPC message. */
class ServerRefusedSize extends Data.TaggedError("ServerRefusedSize")<{ readonly limit: number | undefined }> {}

const readDeadlineMillis = 30_000
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

const appendFailure = (thrown: unknown): Effect.Effect<AppendAnswer, ConnectionLost | ServerRefusedSize> => {
  const error = asError(thrown)
  if (error instanceof WrongExpectedVersionError) return Effect.succeed({ _tag: "Conflict" })
  if (error instanceof MaxAppendSizeExceededError) return Effect.fail(new ServerRefusedSize({ limit: error.maxAppendSize }))
  if ("code" in error && error.code === resourceExhausted) return Effect.fail(new ServerRefusedSize({ limit: undefined }))
  return failure(error)
}

/** Long enough for an election in a cluster, and for most restarts of a single server. */
const backoff = Schedule.min([Schedule.exponential("25 millis"), Schedule.spaced("500 millis")]).pipe(
  Schedule.jittered,
  Schedule.upTo({ duration: "10 seconds" })
)

/** Repeats a call after a lost connection for ten seconds; a call that is answered late takes at most half a minute. */
export const retryOnConnectionLoss = <A, E>(
  call: Effect.Effect<A, E | ConnectionLost>
): Effect.Effect<A, Exclude<E, ConnectionLost>> =>
  call.pipe(
    Effect.retry({ while: (error) => error instanceof ConnectionLost, schedule: backoff }),
    Effect.timeoutOrElse({
      duration: "30 seconds",
      orElse: () => Effect.die(new EventStoreUnavailable({ cause: "no answer within 30 seconds" }))
    }),
    Effect.catch((error) =>
      error instanceof ConnectionLost
        ? Effect.die(new EventStoreUnavailable({ cause: error.cause }))
        : Effect.fail(error as Exclude<E, ConnectionLost>)
    )
  )

export interface Connection {
  readonly append: (requests: ReadonlyArray<AppendReq>) => Effect.Effect<AppendAnswer, ConnectionLost | ServerRefusedSize>
  /**
   * Reads the answers to a request that ends, until `take` answers false. None is kept here: they are many times as large in memory as
   * what they say.
   */
  readonly read: (request: ReadReq, take: (response: ReadResp) => boolean) => Effect.Effect<void, ConnectionLost>
  /** Delivers answers to a request that does not end, until `close` or the end of the connection. */
  readonly open: (request: ReadReq, on: AnswerListener) => OpenCall
  /** Ends all calls and the connection. */
  readonly close: Effect.Effect<void>
}

interface AnswerListener {
  readonly answer: (response: ReadResp) => void
  readonly lost: (cause: unknown) => void
}

interface OpenCall {
  readonly pause: () => void
  readonly resume: () => void
  readonly close: () => void
}

/**
 * What the client keeps for its own calls: the connection to the leader, credentials and deadlines.
 *
 * It nowhere waits for `handleError`, which waits for the connection that other calls are making: where that comes to nothing, as without
 * a leader, nobody would catch its failure, and the process would end.
 */
const internals = (client: EventStoreDBClient) => {
  // biome-ignore-start lint/complexity/useLiteralKeys: protected members cannot be named in any other way.
  const handleError = client["handleError"]
  client["handleError"] = (grpc, error) => handleError(grpc, error).catch(() => {})
  return { createStream: client["GRPCStreamCreator"], execute: client["execute"], callArguments: client["callArguments"] }
  // biome-ignore-end lint/complexity/useLiteralKeys: end of the protected members.
}

/**
 * The calls of the protocol over the client's connection, which finds the leader and reconnects.
 *
 * They are made here and not by `appendToStream` and its like: in client 6.2 all appends share one call, whose failure also rejects
 * appends of newer connections; when their answers come, the client throws where nobody can catch it.
 */
const makeConnection = (client: EventStoreDBClient): Connection => {
  const { callArguments, createStream, execute } = internals(client)
  let latest: StreamsClient | undefined
  const use = (grpc: StreamsClient): StreamsClient => {
    latest = grpc
    return grpc
  }

  const call = async (request: ReadReq, deadline: number) => {
    const stream = await createStream(StreamsClient, "read", (grpc) =>
      use(grpc).read(request, ...callArguments({ deadline, requiresLeader: true }))
    )()
    // A call that was cancelled reports so when nobody listens any more.
    return stream.on("error", () => {})
  }

  const append = (requests: ReadonlyArray<AppendReq>) =>
    execute(
      StreamsClient,
      "append",
      (grpc) =>
        new Promise<AppendResp>((resolve, reject) => {
          const sink = use(grpc).append(...callArguments({ requiresLeader: true }), (error, response) =>
            error === null ? resolve(response) : reject(error)
          )
          sink.on("error", reject)
          for (const request of requests) sink.write(request)
          sink.end()
        })
    )

  const read = async (request: ReadReq, take: (response: ReadResp) => boolean, signal: AbortSignal) => {
    const stream = await call(request, readDeadlineMillis)
    signal.addEventListener("abort", () => stream.cancel())
    const { promise, reject, resolve } = Promise.withResolvers<void>()
    let isDone = false
    const finish = (settle: () => void) => {
      isDone = true
      stream.cancel()
      settle()
    }
    stream.on("data", (response: ReadResp) => {
      if (isDone) return
      try {
        if (!take(response)) finish(resolve)
      } catch (error) {
        finish(() => reject(error))
      }
    })
    stream.on("end", resolve)
    stream.on("error", reject)
    return promise
  }

  const open = (request: ReadReq, { answer, lost }: AnswerListener): OpenCall => {
    let closed = false
    const opened = call(request, Number.POSITIVE_INFINITY)
    const withStream = (use: (stream: Awaited<typeof opened>) => void) => {
      opened.then(use, () => {})
    }
    opened.then((stream) => {
      if (closed) return stream.cancel()
      stream.on("error", lost)
      stream.on("end", () => lost("the server ended the subscription"))
      stream.on("data", answer)
    }, lost)
    return {
      pause: () => withStream((stream) => stream.pause()),
      resume: () => withStream((stream) => stream.resume()),
      close: () => {
        closed = true
        withStream((stream) => stream.cancel())
      }
    }
  }

  return {
    append: (requests) =>
      Effect.tryPromise(() => append(requests)).pipe(
        Effect.map(appendAnswer),
        Effect.catch(({ cause }) => appendFailure(cause))
      ),
    read: (request, take) =>
      Effect.catch(
        Effect.tryPromise((signal) => read(request, take, signal)),
        ({ cause }) => failure(cause)
      ),
    open,
    close: Effect.promise(async () => {
      await client.dispose()
      latest?.close()
    })
  }
}

/** A connection that ends with its scope. */
export const scopedConnection = (client: EventStoreDBClient): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => makeConnection(client)),
    ({ close }) => close
  )
