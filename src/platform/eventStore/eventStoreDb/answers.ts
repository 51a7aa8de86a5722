import { PbfReader } from "pbf"
import type { Position, RecordedEvent } from "../EventStore.ts"
import { canonicalJson } from "../hashChain.ts"
import { RecordedTexts } from "../storedEvent.ts"
import { exact, type LogPlace, type StoredMetadata } from "./protocol.ts"

/** An event as the server sends it. Numbers of 64 bits are not exact beyond 2^53. */
export interface SentEvent {
  readonly id: string
  readonly type: string
  readonly stream: string
  readonly revision: number
  readonly position: number
  readonly data: string
  /** What whoever wrote it sent beside the data. */
  readonly metadata: string
  /** What its data took on the wire. */
  readonly bytes: number
}

/** What the server answers to a read or a subscription, as far as it matters here. */
export interface ReadAnswer {
  readonly event?: SentEvent
  /** How far a subscription is that yields nothing: everything before is passed, wanted or not. Not exact beyond 2^53. */
  readonly checkpoint?: LogPlace
  readonly isCaughtUp?: boolean
  /** Whether the server has no events under the name of the stream. */
  readonly isAbsent?: boolean
}

type Mutable<A> = { -readonly [K in keyof A]: A[K] }

// The numbers of fields are those of `ReadResp`: https://github.com/EventStore/EventStore/blob/master/src/Protos/Grpc/streams.proto.
// What the generated classes make of an event takes four times as long to make as what is read here.

const readText =
  (field: number) =>
  (tag: number, texts: { text: string }, reader: PbfReader): void => {
    if (tag === field) texts.text = reader.readString()
  }
const readUuid = readText(2)
const readStreamName = readText(3)
const textIn = (reader: PbfReader, read: ReturnType<typeof readText>): string => reader.readMessage(read, { text: "" }).text

const readProperty = (tag: number, property: { name: string; value: string }, reader: PbfReader): void => {
  if (tag === 1) property.name = reader.readString()
  else if (tag === 2) property.value = reader.readString()
}

const readData = (event: Mutable<SentEvent>, reader: PbfReader): void => {
  const before = reader.pos
  event.data = reader.readString()
  event.bytes = reader.pos - before
}

const readRecordedEvent = (tag: number, event: Mutable<SentEvent>, reader: PbfReader): void => {
  if (tag === 1) event.id = textIn(reader, readUuid)
  else if (tag === 2) event.stream = textIn(reader, readStreamName)
  else if (tag === 3) event.revision = reader.readVarint()
  else if (tag === 5) event.position = reader.readVarint()
  else if (tag === 6) {
    const { name, value } = reader.readMessage(readProperty, { name: "", value: "" })
    if (name === "type") event.type = value
  } else if (tag === 7) event.metadata = reader.readString()
  else if (tag === 8) readData(event, reader)
}

const readEvent = (tag: number, answer: Mutable<ReadAnswer>, reader: PbfReader): void => {
  if (tag !== 1) return
  const none = { id: "", type: "", stream: "", revision: 0, position: 0, data: "", metadata: "", bytes: 0 }
  answer.event = reader.readMessage(readRecordedEvent, none)
}

const readCheckpoint = (tag: number, place: Mutable<LogPlace>, reader: PbfReader): void => {
  if (tag === 1) place.commit = reader.readVarint()
  else if (tag === 2) place.prepare = reader.readVarint()
}

const readField = (tag: number, answer: Mutable<ReadAnswer>, reader: PbfReader): void => {
  if (tag === 1) reader.readMessage(readEvent, answer)
  else if (tag === 3) answer.checkpoint = reader.readMessage(readCheckpoint, { commit: 0, prepare: 0 })
  else if (tag === 4) answer.isAbsent = true
  else if (tag === 8) answer.isCaughtUp = true
}

export const readAnswer = (bytes: Uint8Array): ReadAnswer => new PbfReader(bytes).readFields(readField, {})

const isStoredMetadata = (value: unknown): value is StoredMetadata =>
  typeof value === "object" &&
  value !== null &&
  "metadata" in value &&
  "hash" in value &&
  "at" in value &&
  "schemaVersion" in value

const storedMetadataOf = ({ metadata }: SentEvent): StoredMetadata | undefined => {
  if (metadata === "") return undefined
  try {
    const value: unknown = JSON.parse(metadata)
    return isStoredMetadata(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const positionOf = ({ position }: SentEvent): Position => exact(position)

const placed = (sent: SentEvent, { at, hash, schemaVersion }: Omit<StoredMetadata, "metadata">) => ({
  id: sent.id,
  type: sent.type,
  schemaVersion,
  stream: sent.stream,
  revision: exact(sent.revision),
  position: positionOf(sent),
  at,
  hash
})

/** An event of the server; undefined when another program wrote it. */
export const recordedEvent = (sent: SentEvent): RecordedEvent | undefined => {
  const stored = storedMetadataOf(sent)
  if (stored === undefined) return undefined
  return { ...placed(sent, stored), data: JSON.parse(sent.data), metadata: stored.metadata }
}

/** What `storedMetadata` of `protocol.ts` puts before and behind the text of an event's own metadata. */
const [opening, following] = ['{"metadata":', ',"schemaVersion":']

/** An event's own metadata as it is stored; undefined when another program has written it in another way. */
const ownMetadataOf = ({ metadata }: SentEvent): string | undefined => {
  const end = metadata.lastIndexOf(following)
  return metadata.startsWith(opening) && end !== -1 ? metadata.slice(opening.length, end) : undefined
}

/** The same with its texts, which are parsed where what they say is asked for. */
export const recordedTexts = (sent: SentEvent): RecordedEvent | undefined => {
  const stored = storedMetadataOf(sent)
  if (stored === undefined) return undefined
  const metadata = ownMetadataOf(sent) ?? canonicalJson(stored.metadata)
  return new RecordedTexts({ ...placed(sent, stored), data: sent.data, metadata })
}

/** The server's number for "before everything", in whose place it subscribes to everything. */
const nowhere = 2 ** 64

export const checkpointOf = ({ checkpoint }: ReadAnswer): LogPlace | undefined =>
  checkpoint === undefined || checkpoint.commit === nowhere
    ? undefined
    : { commit: exact(checkpoint.commit), prepare: exact(checkpoint.prepare) }

/** The revision at which the settings of a stream let it begin; 0 where they hide nothing by number. */
export const truncatedBefore = ({ data }: SentEvent): number => {
  const settings: unknown = JSON.parse(data || "null")
  const before = typeof settings === "object" && settings !== null && "$tb" in settings ? settings.$tb : 0
  return typeof before === "number" ? before : 0
}
