import shared from "@eventstore/db-client/generated/shared_pb.js"
import rpc from "@eventstore/db-client/generated/status_pb.js"
import streams from "@eventstore/db-client/generated/streams_pb.js"
import { Metadata, status } from "@grpc/grpc-js"
import any from "google-protobuf/google/protobuf/any_pb.js"
import type { Expected, Outcome, ProposedEvent, StoredEvent } from "./serverLog.ts"

const { AppendResp, BatchAppendResp, ReadResp } = streams
const utf8 = new TextEncoder()
const text = new TextDecoder()

export const streamName = (identifier: shared.StreamIdentifier | undefined): string =>
  text.decode(identifier?.getStreamName_asU8() ?? new Uint8Array())

export const proposedEvent = (
  message: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage
): ProposedEvent => ({
  id: message.getId()?.getString() ?? "",
  type: message.getMetadataMap().get("type") ?? "",
  contentType: message.getMetadataMap().get("content-type") ?? "",
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8()
})

/** What the server counts against its limit of an append: of all that an event has, the data alone. */
export const sizeOf = ({ data }: ProposedEvent): number => data.length

export const expectedOf = (options: streams.AppendReq.Options | streams.BatchAppendReq.Options): Expected => {
  if (options.hasNoStream()) return -1
  if (options.hasAny()) return "any"
  if (options.hasStreamExists()) return "exists"
  return Number("getRevision" in options ? options.getRevision() : options.getStreamPosition())
}

const successOf = ({ position, revision }: Extract<Outcome, { _tag: "Appended" }>) => {
  const success = new AppendResp.Success().setCurrentRevision(String(revision))
  return position === undefined
    ? success.setNoPosition(new shared.Empty())
    : success.setPosition(new AppendResp.Position().setCommitPosition(String(position)).setPreparePosition(String(position)))
}

export const appendResponse = (outcome: Exclude<Outcome, { _tag: "Deleted" }>): streams.AppendResp => {
  if (outcome._tag === "Appended") return new AppendResp().setSuccess(successOf(outcome))
  const wrong = new AppendResp.WrongExpectedVersion()
  if (outcome.current === -1) wrong.setCurrentNoStream(new shared.Empty())
  else wrong.setCurrentRevision(String(outcome.current))
  return new AppendResp().setWrongExpectedVersion(wrong)
}

/** An answer in a call that carries many appends. */
const batchAnswer = (request: streams.BatchAppendReq): streams.BatchAppendResp =>
  new BatchAppendResp()
    .setCorrelationId(request.getCorrelationId())
    .setStreamIdentifier(request.getOptions()?.getStreamIdentifier())

interface Message {
  readonly serializeBinary: () => Uint8Array
}

/** There an append fails in its answer, which has a message with the name of what is wrong. */
const batchProblem = (request: streams.BatchAppendReq, name: string, message: Message): streams.BatchAppendResp => {
  const details = new any.Any()
  details.pack(message.serializeBinary(), `event_store.client.${name}`)
  return batchAnswer(request).setError(new rpc.Status().setMessage(name).setDetails(details))
}

export const batchAppendTooLarge = (request: streams.BatchAppendReq, limit: number): streams.BatchAppendResp => {
  const message = new shared.MaximumAppendSizeExceeded().setMaxappendsize(limit)
  return batchProblem(request, "MaximumAppendSizeExceeded", message)
}

export const batchAccessDenied = (request: streams.BatchAppendReq): streams.BatchAppendResp =>
  batchProblem(request, "AccessDenied", new shared.AccessDenied())

export const batchTimeout = (request: streams.BatchAppendReq): streams.BatchAppendResp =>
  batchProblem(request, "Timeout", new shared.Timeout())

export const batchAppendResponse = (request: streams.BatchAppendReq, outcome: Outcome): streams.BatchAppendResp => {
  if (outcome._tag === "Deleted") {
    const stream = request.getOptions()?.getStreamIdentifier()
    return batchProblem(request, "StreamDeleted", new shared.StreamDeleted().setStreamIdentifier(stream))
  }
  if (outcome._tag === "WrongExpected") return batchProblem(request, "WrongExpectedVersion", new shared.WrongExpectedVersion())
  const success = new BatchAppendResp.Success().setCurrentRevision(String(outcome.revision))
  if (outcome.position === undefined) return batchAnswer(request).setSuccess(success.setNoPosition(new shared.Empty()))
  const position = new shared.AllStreamPosition()
    .setCommitPosition(String(outcome.position))
    .setPreparePosition(String(outcome.position))
  return batchAnswer(request).setSuccess(success.setPosition(position))
}

/** How the server says what is wrong: a status, and its own name for it. */
const refusal = (code: status, details: string, more: Readonly<Record<string, string>>) => {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(more)) metadata.set(name, value)
  return { code, details, metadata }
}

/** The server's refusal of an append over its limit. */
export const appendTooLarge = (limit: number) =>
  refusal(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: "maximum-append-size-exceeded",
    "maximum-append-size": String(limit)
  })

export const streamDeleted = (stream: string) =>
  refusal(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: "stream-deleted",
    "stream-name": stream
  })

export const accessDenied = refusal(status.PERMISSION_DENIED, "Access Denied", { exception: "access-denied" })

/** What a server or a proxy says that has had too many requests of a connection. */
export const exhausted = refusal(status.RESOURCE_EXHAUSTED, "Enhance your calm", {})

export const unavailable = refusal(status.UNAVAILABLE, "Server Is Not Ready", {})

export const unauthenticated = refusal(status.UNAUTHENTICATED, "Unauthenticated", {})

/** The answer of a follower to calls that are for the leader. */
export const leaderInfo = ({ host, port }: { readonly host: string; readonly port: number }) =>
  refusal(status.NOT_FOUND, "Leader info available", {
    exception: "not-leader",
    "leader-endpoint-host": host,
    "leader-endpoint-port": String(port)
  })

export const eventResponse = (event: StoredEvent): streams.ReadResp => {
  const recorded = new ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(utf8.encode(event.stream)))
    .setStreamRevision(event.type === "$streamDeleted" ? "9223372036854775807" : String(event.revision))
    .setCommitPosition(String(event.position))
    .setPreparePosition(String(event.position))
    .setData(event.data)
    .setCustomMetadata(event.metadata)
  recorded.getMetadataMap().set("type", event.type).set("content-type", event.contentType).set("created", "0")
  return new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(String(event.position)))
}

export const streamNotFound = (name: string): streams.ReadResp =>
  new ReadResp().setStreamNotFound(
    new ReadResp.StreamNotFound().setStreamIdentifier(new shared.StreamIdentifier().setStreamName(utf8.encode(name)))
  )

export const confirmation = (): streams.ReadResp =>
  new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId("subscription"))

/** -1: before everything, which the server writes as the greatest number there is. */
export const checkpoint = (position: number): streams.ReadResp => {
  const digits = position === -1 ? "18446744073709551615" : String(position)
  return new ReadResp().setCheckpoint(new ReadResp.Checkpoint().setCommitPosition(digits).setPreparePosition(digits))
}

/** After how many events that it looked at a subscription gets a checkpoint. */
export const checkpointInterval = (options: streams.ReadReq.Options): number => {
  const filter = options.getFilter()
  return (filter?.hasMax() === true ? filter.getMax() : 32) * (filter?.getCheckpointintervalmultiplier() ?? 1)
}

export const caughtUp = (): streams.ReadResp => new ReadResp().setCaughtUp(new ReadResp.CaughtUp())

/** Whether an event passes the filter of a request. */
export const filterOf = (options: streams.ReadReq.Options): ((event: StoredEvent) => boolean) => {
  const filter = options.getFilter()
  if (filter === undefined) return () => true
  const onStream = filter.hasStreamIdentifier()
  const expression = onStream ? filter.getStreamIdentifier() : filter.getEventType()
  const regex = new RegExp(expression?.getRegex() ?? "")
  const prefixes = expression?.getPrefixList() ?? []
  return (event) => {
    const subject = onStream ? event.stream : event.type
    return prefixes.length > 0 ? prefixes.some((prefix) => subject.startsWith(prefix)) : regex.test(subject)
  }
}
