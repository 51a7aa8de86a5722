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
const resourceExhausted = 8

const asError = (thrown: unknown): Error => (thrown instanceof Error ? convertToCommandError(thrown) : new Error(String(thrown)))

const isPermanent = (error: Error) =>
  error instanceof AccessDeniedError ||
  error instanceof StreamDeletedError ||
  error instanceof InvalidArgumentError ||
  error instanceof RangeError ||
  error instanceof SyntaxError

/** A failure that repeating would not mend is a defect. */
export const failure = (thrown: unknown): Effect.Effect<never, ConnectionLost> => {
  const error = asError(thrown)
  return isPermanent(error) ? Effect.die(error) : Effect.fail(new ConnectionLost({ cause: error }))
}

const appendFailure = (thrown: unknown): Effect.Effect<AppendAnswer, ConnectionLost | ServerRefusedSize> => {
  const error = asError(thrown)
  if (error instanceof WrongExpectedVersionError) return Effect.succeed({ _tag: "Conflict" })
  if (error instanceof MaxAppendSizeExceededError) return Effect.fail(new ServerRefusedSize({ limit: error.maxAppendSize }))
  if ("code" in error && error.code === resourceExhausted) return Effect.fail(new ServerRefusedSize({ limit: undefined }))
  return failure(error)
}

const backoff = Schedule.exponential("25 millis").pipe(Schedule.jittered)

/** Repeats a call after a lost connection: six times within about two seconds, at most for half a minute. */
export const retryOnConnectionLoss = <A, E>(
  call: Effect.Effect<A, E | ConnectionLost>
): Effect.Effect<A, Exclude<E, ConnectionLost>> =>
  call.pipe(
    Effect.retry({ while: (error) => error instanceof ConnectionLost, times: 6, schedule: backoff }),
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
  /** Reads all answers to a request that ends. */
  readonly read: (request: ReadReq) => Effect.Effect<ReadonlyArray<ReadResp>, ConnectionLost>
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

/** What the client keeps for its own calls: the connection to the leader, credentials and deadlines. */
const internals = (client: EventStoreDBClient) => ({
  // biome-ignore-start lint/complexity/useLiteralKeys: protected members cannot be named in any other way.
  createStream: client["GRPCStreamCreator"],
  execute: client["execute"],
  callArguments: client["callArguments"]
  // biome-ignore-end lint/complexity/useLiteralKeys: end of the protected members.
})

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

  const read = async (request: ReadReq, signal: AbortSignal) => {
    const stream = await call(request, readDeadlineMillis)
    signal.addEventListener("abort", () => stream.cancel())
    const responses: Array<ReadResp> = []
    for await (const response of stream) responses.push(response)
    return responses
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
    read: (request) =>
      Effect.catch(
        Effect.tryPromise((signal) => read(request, signal)),
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
