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
  proposedEvent,
  sizeOf,
  streamDeleted,
  streamName
} from "./messages.ts"
import { read } from "./readCalls.ts"
import type { Outcome, ServerLog } from "./serverLog.ts"

type Decision =
  | Outcome
  | { readonly _tag: "Refused"; readonly refusal: object }
  | { readonly _tag: "TooLarge"; readonly limit: number }

type Proposed = ReadonlyArray<AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage>

/** What comes of an append, however it arrived. */
const decide = async (
  log: ServerLog,
  behaviour: Behaviour,
  options: AppendReq.Options | BatchAppendReq.Options,
  proposed: Proposed
): Promise<Decision> => {
  const { beforeNextAppend } = behaviour
  behaviour.beforeNextAppend = undefined
  await beforeNextAppend?.()
  const { maxAppendBytes, refusal } = behaviour
  if (refusal !== undefined) return { _tag: "Refused", refusal }
  const events = proposed.map(proposedEvent)
  if (events.reduce((sum, event) => sum + sizeOf(event), 0) > maxAppendBytes) return { _tag: "TooLarge", limit: maxAppendBytes }
  return log.append(streamName(options.getStreamIdentifier()), expectedOf(options), events)
}

/** Answers, unless something else is to happen to the next append that was stored. */
const answerStored = (behaviour: Behaviour, answer: () => void): void => {
  const told = behaviour.insteadOfNextAnswer ?? answer
  behaviour.insteadOfNextAnswer = undefined
  told()
}

const answerAppend = async (
  log: ServerLog,
  behaviour: Behaviour,
  requests: ReadonlyArray<AppendReq>,
  answer: sendUnaryData<AppendResp>
) => {
  const options = requests[0]?.getOptions()
  if (options === undefined) return answer({ code: status.INVALID_ARGUMENT, details: "no options" })
  const proposed = requests.flatMap((request) => request.getProposedMessage() ?? [])
  const decision = await decide(log, behaviour, options, proposed)
  if (decision._tag === "Refused") return answer(decision.refusal)
  if (decision._tag === "TooLarge") return answer(appendTooLarge(decision.limit))
  if (decision._tag === "Deleted") return answer(streamDeleted(streamName(options.getStreamIdentifier())))
  answerStored(behaviour, () => answer(null, appendResponse(decision)))
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
  if (options === undefined || !request.getIsFinal()) {
    return call.emit("error", new Error("appends in pieces are not part of this server"))
  }
  const decision = await decide(log, behaviour, options, request.getProposedMessagesList())
  if (decision._tag === "Refused") {
    return decision.refusal === accessDenied ? call.write(batchAccessDenied(request)) : call.emit("error", decision.refusal)
  }
  if (decision._tag === "TooLarge") return call.write(batchAppendTooLarge(request, decision.limit))
  if (behaviour.saysTimeout) {
    behaviour.saysTimeout = false
    return call.write(batchTimeout(request))
  }
  answerStored(behaviour, () => call.write(batchAppendResponse(request, decision)))
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
