import type { IStreamsServer } from "@eventstore/db-client/generated/streams_grpc_pb.js"
import streams, { type AppendReq, type AppendResp } from "@eventstore/db-client/generated/streams_pb.js"
import { type handleClientStreamingCall, type sendUnaryData, status } from "@grpc/grpc-js"
import type { Behaviour } from "./Behaviour.ts"
import { appendResponse, appendTooLarge, expectedOf, proposedEvent, sizeOf, streamDeleted, streamName } from "./messages.ts"
import { read } from "./readCalls.ts"
import type { ServerLog } from "./serverLog.ts"

const answerAppend = async (
  log: ServerLog,
  behaviour: Behaviour,
  requests: ReadonlyArray<AppendReq>,
  answer: sendUnaryData<AppendResp>
) => {
  const options = requests[0]?.getOptions()
  if (options === undefined) return answer({ code: status.INVALID_ARGUMENT, details: "no options" })
  const events = requests.flatMap((request) => request.getProposedMessage() ?? []).map(proposedEvent)
  const { beforeNextAppend, insteadOfNextAnswer, maxAppendBytes, refusal } = behaviour
  behaviour.beforeNextAppend = undefined
  await beforeNextAppend?.()
  if (refusal !== undefined) return answer(refusal)
  if (events.reduce((sum, event) => sum + sizeOf(event), 0) > maxAppendBytes) return answer(appendTooLarge(maxAppendBytes))
  const stream = streamName(options.getStreamIdentifier())
  const outcome = log.append(stream, expectedOf(options), events)
  if (outcome._tag === "Deleted") return answer(streamDeleted(stream))
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

const unimplemented = { code: status.UNIMPLEMENTED, details: "not part of this server" }

/** Appending, reading and deleting as EventStoreDB does. */
export const streamsService = (log: ServerLog, behaviour: Behaviour): IStreamsServer => ({
  append: append(log, behaviour),
  read: read(log, behaviour),
  delete: (call, answer) => {
    log.deleteSoftly(streamName(call.request.getOptions()?.getStreamIdentifier()))
    answer(null, new streams.DeleteResp())
  },
  tombstone: (call, answer) => {
    log.tombstone(streamName(call.request.getOptions()?.getStreamIdentifier()))
    answer(null, new streams.TombstoneResp())
  },
  batchAppend: (call) => call.destroy(Object.assign(new Error(unimplemented.details), unimplemented))
})
