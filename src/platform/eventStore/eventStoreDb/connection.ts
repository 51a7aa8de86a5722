import type { EventStoreDBClient } from "@eventstore/db-client"
import { StreamsClient, StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js"
import type { AppendResp, ReadReq } from "@eventstore/db-client/generated/streams_pb.js"
import { Effect, type Scope } from "effect"
import { type ReadAnswer, readAnswer } from "./answers.ts"
import { type AppendCall, makeAppendCalls } from "./appendCalls.ts"
import { appendFailure, ConnectionLost, failure, type ServerRefusedSize } from "./failures.ts"
import {
  type AppendAnswer,
  appendAnswer,
  appendRequests,
  batchAppendAnswer,
  batchAppendRequest,
  refusesAppendItself,
  type SealedAppend
} from "./protocol.ts"

const readDeadlineMillis = 30_000
/** The number of bytes that the server may send on one connection before they are read. */
const windowBytes = 4 * 1024 * 1024
/** The longest time that an answer to an append may take, whatever the address says. */
const maxAnswerMillis = 30_000
/** The number of bytes beyond which an append has a call of its own, so that those that are sent with it do not wait behind it. */
const maxSharedBytes = 64 * 1024

export interface Connection {
  /** The call that carries appends; undefined when none is open. */
  readonly currentAppendCall: () => AppendCall | undefined
  /** The same, opened where none is. */
  readonly appendCall: Effect.Effect<AppendCall, ConnectionLost>
  /** Appends as long as the call is open under which the end of the stream was looked up. */
  readonly append: (sealed: SealedAppend, call: AppendCall) => Effect.Effect<AppendAnswer, ConnectionLost | ServerRefusedSize>
  /** Reads the answers to a request that ends, until `take` answers false. */
  readonly read: (request: ReadReq, take: (response: ReadAnswer) => boolean) => Effect.Effect<void, ConnectionLost>
  /** Delivers answers to a request that does not end, until `close` or the end of the connection. */
  readonly open: (request: ReadReq, on: AnswerListener) => OpenCall
  /** Ends all calls and the connection. */
  readonly close: Effect.Effect<void>
}

interface AnswerListener {
  readonly answer: (response: ReadAnswer) => void
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
 *
 * It has no setting for how much the server may send before it waits for a word. With the usual 64 KiB the server stands still whenever
 * this process works on what it has read.
 */
const internals = (client: EventStoreDBClient) => {
  // biome-ignore-start lint/complexity/useLiteralKeys: protected members cannot be named in any other way.
  const handleError = client["handleError"]
  client["handleError"] = (grpc, error) => handleError(grpc, error).catch(() => {})
  const createChannel = client["createChannel"]
  client["createChannel"] = async () => {
    const channel = await createChannel()
    channel.internalChannel.options["grpc-node.flow_control_window"] = windowBytes
    return channel
  }
  return { createStream: client["GRPCStreamCreator"], execute: client["execute"], callArguments: client["callArguments"] }
  // biome-ignore-end lint/complexity/useLiteralKeys: end of the protected members.
}

/**
 * The calls of the protocol over the client's connection, which finds the leader and reconnects. `onAppendsOpened` is told
 * of each call that is to carry appends, before it does.
 *
 * They are made here and not by `appendToStream` and its like: in client 6.2 the failure of the call that carries appends also rejects
 * those of newer connections; when their answers come, the client throws where nobody can catch it.
 */
const makeConnection = (client: EventStoreDBClient, onAppendsOpened: () => void): Connection => {
  const { callArguments, createStream, execute } = internals(client)
  let latest: StreamsClient | undefined
  const use = (grpc: StreamsClient): StreamsClient => {
    latest = grpc
    return grpc
  }

  const openRead = async (request: ReadReq, deadline: number) => {
    const { path, requestSerialize } = StreamsService.read
    const stream = await createStream(StreamsClient, "read", (grpc) =>
      use(grpc).makeServerStreamRequest(
        path,
        requestSerialize,
        readAnswer,
        request,
        ...callArguments({ deadline, requiresLeader: true })
      )
    )()
    // A call that was cancelled reports so when nobody listens any more.
    return stream.on("error", () => {})
  }

  const calling = <A>(promise: (signal: AbortSignal) => Promise<A>) =>
    Effect.catch(Effect.tryPromise(promise), ({ cause }) => failure(cause))

  const sendAlone = (sealed: SealedAppend) =>
    execute(
      StreamsClient,
      "append",
      (grpc) =>
        new Promise<AppendResp>((resolve, reject) => {
          const sink = use(grpc).append(...callArguments({ requiresLeader: true }), (error, response) =>
            error === null ? resolve(response) : reject(error)
          )
          sink.on("error", reject)
          for (const request of appendRequests(sealed)) sink.write(request)
          sink.end()
        })
    )

  const appendAlone = (sealed: SealedAppend) =>
    Effect.tryPromise(() => sendAlone(sealed)).pipe(
      Effect.map(appendAnswer),
      Effect.catch(({ cause }) => appendFailure(cause))
    )

  const appendCalls = makeAppendCalls(
    createStream(StreamsClient, "batchAppend", (grpc) =>
      use(grpc).batchAppend(...callArguments({ deadline: Number.POSITIVE_INFINITY, requiresLeader: true }))
    ),
    Math.min(Number(callArguments({})[1].deadline) - Date.now(), maxAnswerMillis),
    onAppendsOpened
  )

  /** What the call with the others refuses is repeated alone: the events are the same, and the answer says what to do about it. */
  const appendWithOthers = (sealed: SealedAppend, call: AppendCall) =>
    Effect.flatMap(
      calling(() => call.append((id) => batchAppendRequest(sealed, id))),
      (response) => {
        const answer = batchAppendAnswer(response)
        if (answer !== undefined) return Effect.succeed(answer)
        // It may lead to a server that leads no more, and says so in no other way.
        if (!refusesAppendItself(response)) call.retire()
        return appendAlone(sealed)
      }
    )

  const read = async (request: ReadReq, take: (response: ReadAnswer) => boolean, signal: AbortSignal) => {
    const stream = await openRead(request, readDeadlineMillis)
    signal.addEventListener("abort", () => stream.cancel())
    const { promise, reject, resolve } = Promise.withResolvers<void>()
    let isDone = false
    const finish = (settle: () => void) => {
      isDone = true
      stream.cancel()
      settle()
    }
    stream.on("data", (response: ReadAnswer) => {
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
    const opened = openRead(request, Number.POSITIVE_INFINITY)
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
    currentAppendCall: appendCalls.current,
    appendCall: calling(appendCalls.open),
    append: (sealed, call) => {
      if (sealed.bytes <= maxSharedBytes) return appendWithOthers(sealed, call)
      return Effect.suspend(() =>
        call.isOpen()
          ? appendAlone(sealed)
          : Effect.fail(new ConnectionLost({ cause: "The call that carries appends has ended" }))
      )
    },
    read: (request, take) => calling((signal) => read(request, take, signal)),
    open,
    close: Effect.promise(async () => {
      appendCalls.close()
      await client.dispose()
      latest?.close()
    })
  }
}

/** A connection that ends with its scope. */
export const scopedConnection = (
  client: EventStoreDBClient,
  onAppendsOpened: () => void
): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => makeConnection(client, onAppendsOpened)),
    ({ close }) => close
  )
