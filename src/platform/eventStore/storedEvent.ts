import { EventStoreUnavailable, type RecordedEvent, type StoredTexts } from "./EventStore.ts"

/** An event as a store has it: with texts in place of what they say. */
export interface StoredEvent extends Omit<RecordedEvent, "data" | "metadata" | "texts">, StoredTexts {}

/** A text of an event. One that is no JSON was altered in the store: what has to read it cannot go on. */
const parsed = ({ position, revision, stream }: StoredEvent, text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    const cause = `the event at position ${position}, revision ${revision} of ${stream}, is damaged: run "chronoforge verify"`
    throw new EventStoreUnavailable({ cause })
  }
}

export const recorded = (stored: StoredEvent): RecordedEvent => ({
  position: stored.position,
  stream: stored.stream,
  revision: stored.revision,
  id: stored.id,
  type: stored.type,
  schemaVersion: stored.schemaVersion,
  at: stored.at,
  data: parsed(stored, stored.data),
  metadata: parsed(stored, stored.metadata),
  hash: stored.hash
})

/** An event whose texts are parsed only where somebody asks for what they say: its hash is over the texts. */
export class RecordedTexts implements RecordedEvent {
  readonly position: number
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly schemaVersion: number
  readonly at: number
  readonly hash: string
  readonly texts: StoredTexts
  readonly #stored: StoredEvent

  constructor(stored: StoredEvent) {
    this.position = stored.position
    this.stream = stored.stream
    this.revision = stored.revision
    this.id = stored.id
    this.type = stored.type
    this.schemaVersion = stored.schemaVersion
    this.at = stored.at
    this.hash = stored.hash
    this.texts = stored
    this.#stored = stored
  }

  get data() {
    return parsed(this.#stored, this.#stored.data)
  }

  get metadata() {
    return parsed(this.#stored, this.#stored.metadata)
  }
}
