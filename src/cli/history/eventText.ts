import { isoMillis } from "../../http/answer/jsonTimes.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { changedFields, withoutSecrets } from "./changedFields.ts"

/** Fields that hold times, in milliseconds since 1970, or several. */
const timeName = /(?:^|\.)(?:at|lastAt|nextRunAt|slots)$/

const timeText = (value: unknown): unknown => (typeof value === "number" ? isoMillis(value) : value)

const textOf = (name: string, value: unknown): string => {
  if (!timeName.test(name)) return JSON.stringify(value)
  return JSON.stringify(Array.isArray(value) ? value.map(timeText) : timeText(value))
}

/** What a field of an event is about: events that change something name it below `changes`, those that make it do not. */
const subjectOf = (name: string): string => name.replace(/^(?:changes|settings|attributes|profile)\./, "")

/**
 * Makes a text of each event of a stream, in order: when it happened, who did it, and the fields with their values, those that changed
 * with the value before.
 */
export const eventTexts = () => {
  const before = new Map<string, string>()
  const fieldText = (name: string, value: unknown): string => {
    const [text, subject] = [textOf(name, value), subjectOf(name)]
    const earlier = name.startsWith("changes.") ? before.get(subject) : undefined
    before.set(subject, text)
    return `    ${name}: ${earlier === undefined ? "" : `${earlier} -> `}${text}`
  }
  return ({ at, data, metadata, revision, type }: RecordedEvent): string => {
    const actor = metadata.onBehalfOf === undefined ? metadata.actor : `${metadata.actor} on behalf of ${metadata.onBehalfOf}`
    const request = metadata.requestId === undefined ? "" : `  request ${metadata.requestId}`
    const fields = changedFields(withoutSecrets(data)).map(({ name, value }) => fieldText(name, value))
    return [`${isoMillis(at)}  ${revision}  ${type}  ${actor}${request}`, ...fields].join("\n")
  }
}
