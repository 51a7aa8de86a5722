import type { IStreamsServer } from "@eventstore/db-client/generated/streams_grpc_pb.js"
import type { AppendReq, AppendResp, ReadReq, ReadResp } from "@eventstore/db-client/generated/streams_pb.js"
import {
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type ServerWritableStream,
  type sendUnaryData,
  status
} from "@grpc/grpc-js"
import {
  appendResponse,
  appendTooLarge,
  caughtUp,
  confirmation,
  eventResponse,
  expectedOf,
  filterOf,
  proposedEvent,
  sizeOf,
  streamName,
  streamNotFound
} from "./messages.ts"
import type { ServerLog, StoredEvent } from "./serverLog.ts"

/** How the server behaves; may be changed while it runs. */
export interface Behaviour {
  maxAppendBytes: number
  /** Whether subscriptions are told that they have caught up; older servers do not. */
  saysCaughtUp: boolean
  /** Called once with the next append that arrives, which waits for it. */
  beforeNextAppend: (() => Promise<void>) | undefined
  /** Called once, in place of the answer to the next append that was stored. */
  insteadOfNextAnswer: (() => void) | undefined
}

type ReadCall = ServerWritableStream<ReadReq, ReadResp>

const answerAppend = async (
  log: ServerLog,
  behaviour: Behaviour,
  requests: ReadonlyArray<AppendReq>,
  answer: sendUnaryData<AppendResp>
) => {
  const options = requests[0]?.getOptions()
  if (options === undefined) return answer({ code: status.INVALID_ARGUMENT, details: "no options" })
  const events = requests.flatMap((request) => request.getProposedMessage() ?? []).map(proposedEvent)
  const { beforeNextAppend, insteadOfNextAnswer, maxAppendBytes } = behaviour
  behaviour.beforeNextAppend = undefined
  await beforeNextAppend?.()
  if (events.reduce((sum, event) => sum + sizeOf(event), 0) > maxAppendBytes) return answer(appendTooLarge(maxAppendBytes))
  const outcome = log.append(streamName(options.getStreamIdentifier()), expectedOf(options), events)
  if (insteadOfNextAnswer === undefined) return answer(null, appendResponse(outcome))
  behaviour.insteadOfNextAnswer = undefined
  insteadOfNextAnswer()
}

const append =
  (log: ServerLog, behaviour: Behaviour): handleClientStreamingCall<AppendReq, AppendResp> =>
  (call, answer) => {
    const requests: Array<AppendReq> = []
    call.on("data", (request) => requests.push(request))
    // The messages of a connection that was cut end as well, a moment before the call is cancelled: half an append is none.
    call.on("end", () => setImmediate(() => call.cancelled || answerAppend(log, behaviour, requests, answer)))
  }

/** A call that is answered at the pace of the client. */
const paced = (call: ReadCall) => {
  let wake = () => {}
  const notify = () => wake()
  const notified = () => new Promise<void>((resolve) => (wake = resolve))
  call.on("drain", notify)
  call.on("cancelled", notify)
  return {
    notify,
    notified,
    write: (response: ReadResp): Promise<void> | undefined => (call.write(response) || call.cancelled ? undefined : notified())
  }
}

const streamEvents = (log: ServerLog, options: ReadReq.Options): ReadonlyArray<StoredEvent> | undefined => {
  const from = options.getStream()
  const events = log.stream(streamName(from?.getStreamIdentifier()))
  if (events.length === 0) return undefined
  if (options.getReadDirection() === 0) return from?.hasRevision() ? events.slice(Number(from.getRevision())) : events
  return events.slice(0, from?.hasRevision() ? Number(from.getRevision()) + 1 : undefined).reverse()
}

const logEvents = (log: ServerLog, options: ReadReq.Options): ReadonlyArray<StoredEvent> => {
  const position = options.getAll()?.getPosition()
  const index = position === undefined ? undefined : log.indexOf(Number(position.getCommitPosition()))
  const all = log.all()
  return options.getReadDirection() === 0 ? all.slice(index ?? 0) : all.slice(0, index).reverse()
}

const readOnce = async (log: ServerLog, call: ReadCall, options: ReadReq.Options) => {
  const events = options.hasStream() ? streamEvents(log, options) : logEvents(log, options)
  if (events === undefined) {
    call.write(streamNotFound(streamName(options.getStream()?.getStreamIdentifier())))
    return call.end()
  }
  const { write } = paced(call)
  const passes = filterOf(options)
  let left = Number(options.getCount())
  for (const event of events) {
    if (left === 0 || call.cancelled) break
    if (!passes(event)) continue
    left -= 1
    await write(eventResponse(event))
  }
  call.end()
}

const subscribe = async (log: ServerLog, behaviour: Behaviour, call: ReadCall, options: ReadReq.Options) => {
  const passes = filterOf(options)
  const position = options.getAll()?.getPosition()
  let index = position === undefined ? 0 : log.indexOf(Number(position.getCommitPosition()) + 1)
  let live = false
  const { notified, notify, write } = paced(call)
  const stop = log.onAppend(notify)
  await write(confirmation())
  while (!call.cancelled) {
    const event = log.all()[index]
    if (event !== undefined) {
      index += 1
      if (passes(event)) await write(eventResponse(event))
      continue
    }
    if (!live && behaviour.saysCaughtUp) await write(caughtUp())
    live = true
    if (log.all().length === index && !call.cancelled) await notified()
  }
  stop()
}

const read =
  (log: ServerLog, behaviour: Behaviour): handleServerStreamingCall<ReadReq, ReadResp> =>
  async (call) => {
    const options = call.request.getOptions()
    if (options === undefined) return call.destroy(new Error("no options"))
    return options.hasSubscription() ? subscribe(log, behaviour, call, options) : readOnce(log, call, options)
  }

const unimplemented = { code: status.UNIMPLEMENTED, details: "not part of this server" }

/** Appending and reading as EventStoreDB does. */
export const streamsService = (log: ServerLog, behaviour: Behaviour): IStreamsServer => ({
  append: append(log, behaviour),
  read: read(log, behaviour),
  delete: (_call, answer) => answer(unimplemented),
  tombstone: (_call, answer) => answer(unimplemented),
  batchAppend: (call) => call.destroy(Object.assign(new Error(unimplemented.details), unimplemented))
})
