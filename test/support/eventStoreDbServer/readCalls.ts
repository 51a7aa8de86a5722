import type { ReadReq, ReadResp } from "@eventstore/db-client/generated/streams_pb.js"
import type { handleServerStreamingCall, ServerWritableStream } from "@grpc/grpc-js"
import type { Behaviour } from "./Behaviour.ts"
import {
  caughtUp,
  checkpoint,
  checkpointInterval,
  confirmation,
  eventResponse,
  filterOf,
  streamDeleted,
  streamName,
  streamNotFound
} from "./messages.ts"
import type { ServerLog, StoredEvent, Visible } from "./serverLog.ts"

type ReadCall = ServerWritableStream<ReadReq, ReadResp>

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

/** The answer to a call that fails: with the status that `error` has. */
export const fail = (call: ReadCall, error: object): void => {
  call.emit("error", error)
}

const inDirection = (events: ReadonlyArray<StoredEvent>, options: ReadReq.Options): ReadonlyArray<StoredEvent> => {
  const from = options.getStream()
  const revision = from?.hasRevision() === true ? Number(from.getRevision()) : undefined
  if (options.getReadDirection() === 0) return events.filter((event) => event.revision >= (revision ?? 0))
  return events.filter((event) => event.revision <= (revision ?? event.revision)).reverse()
}

const visibleTo = (log: ServerLog, options: ReadReq.Options): Visible => {
  if (options.hasStream()) {
    const found = log.visible(streamName(options.getStream()?.getStreamIdentifier()))
    return found._tag === "Events" ? { ...found, events: inDirection(found.events, options) } : found
  }
  const position = options.getAll()?.getPosition()
  const index = position === undefined ? undefined : log.indexOf(Number(position.getCommitPosition()))
  const all = log.all()
  const events = options.getReadDirection() === 0 ? all.slice(index ?? 0) : all.slice(0, index).reverse()
  return { _tag: "Events", events }
}

const readOnce = async (log: ServerLog, call: ReadCall, options: ReadReq.Options) => {
  const found = visibleTo(log, options)
  const name = streamName(options.getStream()?.getStreamIdentifier())
  if (found._tag === "Deleted") return fail(call, streamDeleted(name))
  if (found._tag === "Absent") {
    call.write(streamNotFound(name))
    return call.end()
  }
  const { write } = paced(call)
  const passes = filterOf(options)
  let left = Number(options.getCount())
  for (const event of found.events) {
    if (left === 0 || call.cancelled) break
    if (!passes(event)) continue
    left -= 1
    await write(eventResponse(event))
  }
  call.end()
}

const subscribe = async (log: ServerLog, behaviour: Behaviour, call: ReadCall, options: ReadReq.Options) => {
  const passes = filterOf(options)
  const interval = checkpointInterval(options)
  const position = options.getAll()?.getPosition()
  let index = position === undefined ? 0 : log.indexOf(Number(position.getCommitPosition()) + 1)
  let [live, considered] = [log.all().length === index, 0]
  let sent = position === undefined ? -1 : Number(position.getCommitPosition())
  const { notified, notify, write } = paced(call)
  const stop = log.onAppend(notify)
  await write(confirmation())
  if (live && behaviour.saysCaughtUp) await write(caughtUp())
  while (!call.cancelled) {
    const event = log.all()[index]
    if (event !== undefined) {
      index += 1
      considered += 1
      const [isWanted, isDue] = [passes(event), considered % interval === 0]
      if (isWanted) await write(eventResponse(event))
      if (isDue) await write(checkpoint(event.position))
      if (isWanted || isDue) sent = event.position
      continue
    }
    if (!live) await write(checkpoint(sent))
    if (!live && behaviour.saysCaughtUp) await write(caughtUp())
    live = true
    if (log.all().length === index && !call.cancelled) await notified()
  }
  stop()
}

/** Answers reads, which `behaviour` counts, and subscriptions. */
export const read =
  (log: ServerLog, behaviour: Behaviour): handleServerStreamingCall<ReadReq, ReadResp> =>
  async (call) => {
    const options = call.request.getOptions()
    if (options === undefined) return fail(call, new Error("no options"))
    behaviour.reads += 1
    const refusal = behaviour.refusal
    if (refusal !== undefined) return fail(call, refusal)
    return options.hasSubscription() ? subscribe(log, behaviour, call, options) : readOnce(log, call, options)
  }
