import shared from "@eventstore/db-client/generated/shared_pb.js"
import streams from "@eventstore/db-client/generated/streams_pb.js"
import type { EventMetadata, Position } from "../EventStore.ts"
import { type ChainedEvent, canonicalJson } from "../hashChain.ts"

const { AppendReq, BatchAppendReq, ReadReq } = streams
const { AllOptions, FilterOptions, Position: LogPosition, StreamOptions, SubscriptionOptions, UUIDOption } = ReadReq.Options

/** What the server keeps as an event's metadata. It is storage format: add fields, never rename. */
export interface StoredMetadata {
  readonly metadata: EventMetadata
  readonly schemaVersion: number
  readonly at: number
  readonly hash: string
}

const utf8 = new TextEncoder()
const empty = () => new shared.Empty()
const streamNamed = (name: string) => new shared.StreamIdentifier().setStreamName(utf8.encode(name))

const storedMetadata = ({ at, hash, metadata, schemaVersion }: ChainedEvent): string =>
  `{"metadata":${metadata},"schemaVersion":${schemaVersion},"at":${at},"hash":${canonicalJson(hash.toString("hex"))}}`

/** An event as it is sent. */
interface SealedEvent {
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
}

/** Events for the end of a stream that they are sealed for. */
export interface SealedAppend {
  readonly stream: string
  /** The last revision; -1: the stream must not exist. */
  readonly expected: number
  readonly events: ReadonlyArray<SealedEvent>
  /** The number of bytes that the server counts against its limit of an append, or more: version 24.2 leaves out all but the data. */
  readonly bytes: number
}

const bytesOfEvent = ({ data, metadata, type }: SealedEvent): number =>
  2 * type.length + Buffer.byteLength(data) + Buffer.byteLength(metadata)

export const sealedAppend = (stream: string, expected: number, chained: ReadonlyArray<ChainedEvent>): SealedAppend => {
  const events = chained.map((event) => ({ id: event.id, type: event.type, data: event.data, metadata: storedMetadata(event) }))
  return { stream, expected, events, bytes: events.reduce((sum, event) => sum + bytesOfEvent(event), 0) }
}

const fill = <M extends streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage>(
  message: M,
  { data, id, metadata, type }: SealedEvent
): M => {
  message.setId(new shared.UUID().setString(id))
  message.getMetadataMap().set("type", type).set("content-type", "application/json")
  message.setData(utf8.encode(data))
  message.setCustomMetadata(utf8.encode(metadata))
  return message
}

/** The messages of an append that has a call of its own. */
export const appendRequests = ({ events, expected, stream }: SealedAppend): ReadonlyArray<streams.AppendReq> => {
  const options = new AppendReq.Options().setStreamIdentifier(streamNamed(stream))
  if (expected === -1) options.setNoStream(empty())
  else options.setRevision(String(expected))
  const proposed = events.map((event) => new AppendReq().setProposedMessage(fill(new AppendReq.ProposedMessage(), event)))
  return [new AppendReq().setOptions(options), ...proposed]
}

/** The message of an append that shares a call with others; the answer has the same id. */
export const batchAppendRequest = ({ events, expected, stream }: SealedAppend, id: string): streams.BatchAppendReq => {
  const options = new BatchAppendReq.Options().setStreamIdentifier(streamNamed(stream))
  if (expected === -1) options.setNoStream(empty())
  else options.setStreamPosition(String(expected))
  return new BatchAppendReq()
    .setCorrelationId(new shared.UUID().setString(id))
    .setOptions(options)
    .setProposedMessagesList(events.map((event) => fill(new BatchAppendReq.ProposedMessage(), event)))
    .setIsFinal(true)
}

export type Direction = "forwards" | "backwards"

const directed = (direction: Direction) =>
  direction === "forwards" ? ReadReq.Options.ReadDirection.FORWARDS : ReadReq.Options.ReadDirection.BACKWARDS

const readOptions = (direction: Direction) =>
  new ReadReq.Options().setReadDirection(directed(direction)).setUuidOption(new UUIDOption().setString(empty()))

/** Reads a stream from a revision, or from the end that the direction starts at. */
export const streamRequest = (stream: string, direction: Direction, from: number | undefined, count: number): streams.ReadReq => {
  const options = new StreamOptions().setStreamIdentifier(streamNamed(stream))
  if (from !== undefined) options.setRevision(String(from))
  else if (direction === "forwards") options.setStart(empty())
  else options.setEnd(empty())
  return new ReadReq().setOptions(readOptions(direction).setStream(options).setCount(String(count)).setNoFilter(empty()))
}

/** Reads the settings of a stream as they are now. */
export const settingsRequest = (stream: string): streams.ReadReq => streamRequest(`$$${stream}`, "backwards", undefined, 1)

/** As many of the server's own events in a row a read looks through at once, and a subscription before it says how far it is. */
const searchWindow = 1_000

/** Streams whose name begins with `$` belong to the server. */
const ownStreams = () =>
  new FilterOptions()
    .setStreamIdentifier(new FilterOptions.Expression().setRegex("^[^$]"))
    .setMax(searchWindow)
    .setCheckpointintervalmultiplier(1)

/** A place in the server's log: an event's, or one between events. */
export interface LogPlace {
  readonly commit: number
  readonly prepare: number
}

/** The place of one of this service's events. */
export const placeAt = (position: Position): LogPlace | undefined =>
  position === 0 ? undefined : { commit: position, prepare: position }

const logFrom = (place: LogPlace | undefined) =>
  place === undefined
    ? new AllOptions().setStart(empty())
    : new AllOptions().setPosition(
        new LogPosition().setCommitPosition(String(place.commit)).setPreparePosition(String(place.prepare))
      )

/** Reads the log, the event at `from` included. */
export const logRequest = (from: Position, count: number): streams.ReadReq =>
  new ReadReq().setOptions(
    readOptions("forwards")
      .setAll(logFrom(placeAt(from)))
      .setCount(String(count))
      .setFilter(ownStreams())
  )

export const logEndRequest = (count: number): streams.ReadReq =>
  new ReadReq().setOptions(
    readOptions("backwards").setAll(new AllOptions().setEnd(empty())).setCount(String(count)).setFilter(ownStreams())
  )

/** Subscribes to what comes behind `after`; undefined: to everything. */
export const subscribeRequest = (after: LogPlace | undefined): streams.ReadReq =>
  new ReadReq().setOptions(
    readOptions("forwards").setAll(logFrom(after)).setSubscription(new SubscriptionOptions()).setFilter(ownStreams())
  )

/** The server's numbers have 64 bits. Older servers than 22.6 answer the highest one for "not known". */
export const exact = (number: number): number => {
  if (Number.isSafeInteger(number)) return number
  throw new RangeError(`EventStoreDB answered ${number}, beyond 2^53: it must be 22.6 or newer, with less than 8 PiB of log`)
}

export type AppendAnswer =
  | { readonly _tag: "Appended"; readonly revision: number; readonly position: Position | undefined }
  | { readonly _tag: "Conflict" }

const appended = (success: streams.AppendResp.Success | streams.BatchAppendResp.Success): AppendAnswer => {
  const position = success.getPosition()
  return {
    _tag: "Appended",
    revision: exact(Number(success.getCurrentRevision())),
    position: position === undefined ? undefined : exact(Number(position.getCommitPosition()))
  }
}

export const appendAnswer = (response: streams.AppendResp): AppendAnswer => {
  const success = response.getSuccess()
  return success === undefined ? { _tag: "Conflict" } : appended(success)
}

const problemOf = (response: streams.BatchAppendResp): string | undefined =>
  response
    .getError()
    ?.getDetails()
    ?.getTypeName()
    .replace(/^event_store\.client\./, "")

/** Undefined when the append failed for another reason than the end of its stream, of which a call of its own says more. */
export const batchAppendAnswer = (response: streams.BatchAppendResp): AppendAnswer | undefined => {
  const success = response.getSuccess()
  if (success !== undefined) return appended(success)
  return problemOf(response) === "WrongExpectedVersion" ? { _tag: "Conflict" } : undefined
}

/** Whether the server refuses this append for what it is, rather than for its own state. */
export const refusesAppendItself = (response: streams.BatchAppendResp): boolean =>
  ["AccessDenied", "BadRequest", "MaximumAppendSizeExceeded", "StreamDeleted"].includes(problemOf(response) ?? "")
