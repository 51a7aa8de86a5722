import shared from "@eventstore/db-client/generated/shared_pb.js"
import streams from "@eventstore/db-client/generated/streams_pb.js"
import { Metadata, status } from "@grpc/grpc-js"
import type { Expected, Outcome, ProposedEvent, StoredEvent } from "./serverLog.ts"

const { AppendResp, ReadResp } = streams
const utf8 = new TextEncoder()
const text = new TextDecoder()

export const streamName = (identifier: shared.StreamIdentifier | undefined): string =>
  text.decode(identifier?.getStreamName_asU8() ?? new Uint8Array())

export const proposedEvent = (message: streams.AppendReq.ProposedMessage): ProposedEvent => ({
  id: message.getId()?.getString() ?? "",
  type: message.getMetadataMap().get("type") ?? "",
  contentType: message.getMetadataMap().get("content-type") ?? "",
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8()
})

export const sizeOf = ({ data, metadata, type }: ProposedEvent): number => 2 * type.length + data.length + metadata.length

export const expectedOf = (options: streams.AppendReq.Options): Expected => {
  if (options.hasNoStream()) return -1
  if (options.hasAny()) return "any"
  return options.hasStreamExists() ? "exists" : Number(options.getRevision())
}

export const appendResponse = (outcome: Outcome): streams.AppendResp => {
  if (outcome._tag === "Appended") {
    const position = new AppendResp.Position()
      .setCommitPosition(String(outcome.position))
      .setPreparePosition(String(outcome.position))
    return new AppendResp().setSuccess(
      new AppendResp.Success().setCurrentRevision(String(outcome.revision)).setPosition(position)
    )
  }
  const wrong = new AppendResp.WrongExpectedVersion()
  if (outcome.current === -1) wrong.setCurrentNoStream(new shared.Empty())
  else wrong.setCurrentRevision(String(outcome.current))
  return new AppendResp().setWrongExpectedVersion(wrong)
}

/** The server's refusal of an append over its limit. */
export const appendTooLarge = (limit: number) => {
  const metadata = new Metadata()
  metadata.set("exception", "maximum-append-size-exceeded")
  metadata.set("maximum-append-size", String(limit))
  return { code: status.INVALID_ARGUMENT, details: `Maximum Append Size of ${limit} Exceeded.`, metadata }
}

export const eventResponse = (event: StoredEvent): streams.ReadResp => {
  const recorded = new ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(utf8.encode(event.stream)))
    .setStreamRevision(String(event.revision))
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
