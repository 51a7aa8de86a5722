import type { IStreamsServer } from "@eventstore/db-client/generated/streams_grpc_pb.js"
import streams, {
  type AppendReq,
  type AppendResp,
  type BatchAppendReq,
  type BatchAppendResp
} from "@eventstore/db-client/generated/streams_pb.js"
import {
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type ServerDuplexStream,
  type sendUnaryData,
  status
} from "@grpc/grpc-js"
import type { Behaviour } from "./Behaviour.ts"
import {
  accessDenied,
  appendResponse,
  appendTooLarge,
  batchAccessDenied,
  batchAppendResponse,
  batchAppendTooLarge,
  batchTimeout,
  expectedOf,
  expectedOfBatch,
  proposedEvent,
  sizeOf,
  streamDeleted,
  streamName
} from "./messages.ts"
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
  const { beforeNextAppend } = behaviour
  behaviour.beforeNextAppend = undefined
  await beforeNextAppend?.()
  const { insteadOfNextAnswer, maxAppendBytes, refusal } = behaviour
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

/** Who may not append at all is told so in the answer; what concerns the whole server or its caller ends the call. */
const answerBatch = async (
  log: ServerLog,
  behaviour: Behaviour,
  request: BatchAppendReq,
  call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>
) => {
  const options = request.getOptions()
  if (options === undefined || !request.getIsFinal())
    return call.emit("error", new Error("appends in pieces are not part of this server"))
  const events = request.getProposedMessagesList().map(proposedEvent)
  const { beforeNextAppend } = behaviour
  behaviour.beforeNextAppend = undefined
  await beforeNextAppend?.()
  const { insteadOfNextAnswer, maxAppendBytes, refusal } = behaviour
  if (refusal === accessDenied) return call.write(batchAccessDenied(request))
  if (refusal !== undefined) return call.emit("error", refusal)
  if (events.reduce((sum, event) => sum + sizeOf(event), 0) > maxAppendBytes) {
    return call.write(batchAppendTooLarge(request, maxAppendBytes))
  }
  const outcome = log.append(streamName(options.getStreamIdentifier()), expectedOfBatch(options), events)
  if (behaviour.saysTimeout) {
    behaviour.saysTimeout = false
    return call.write(batchTimeout(request))
  }
  if (insteadOfNextAnswer === undefined) return call.write(batchAppendResponse(request, outcome))
  behaviour.insteadOfNextAnswer = undefined
  insteadOfNextAnswer()
}

const batchAppend =
  (log: ServerLog, behaviour: Behaviour): handleBidiStreamingCall<BatchAppendReq, BatchAppendResp> =>
  (call) => {
    call.on("data", (request: BatchAppendReq) => answerBatch(log, behaviour, request, call))
    call.on("end", () => call.end())
  }

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
  batchAppend: batchAppend(log, behaviour)
})
