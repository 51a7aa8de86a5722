import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { asItHappened, type RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { userOf } from "../../platform/Origin.ts"
import { type ChangedField, changedFields, withoutSecrets } from "./changedFields.ts"
import { interfaceWord, isBefore, isChange, isOfUsers } from "./interfaceWords.ts"

/** What is known of others whom events name by their ids. */
export interface Named {
  /** The name of a user who is there. */
  readonly username: (id: number) => string | undefined
  /** What the event with this id was, where it is known. */
  readonly cause: (eventId: string) => string | undefined
}

/** Fields that hold times, in milliseconds since 1970, or several. */
const timeName = /(?:^|\.)(?:at|lastAt|nextRunAt|slots)$/

const timeText = (value: unknown): unknown => (typeof value === "number" ? isoMillis(value) : value)

const listText = (value: unknown, textOf: (one: unknown) => string): string =>
  Array.isArray(value) ? `[${value.map(textOf).join(",")}]` : textOf(value)

const userText = (id: unknown, { username }: Named): string => {
  const name = typeof id === "number" ? username(id) : undefined
  return name === undefined ? JSON.stringify(id) : `@${name}`
}

const textOf = (field: string, value: unknown, named: Named): string => {
  if (isOfUsers(field)) return listText(value, (id) => userText(id, named))
  return listText(value, (one) => JSON.stringify(timeName.test(field) ? timeText(one) : one))
}

const actorText = (actor: string, named: Named): string => {
  const id = userOf(actor)
  const name = id === undefined ? undefined : named.username(id)
  return name === undefined ? actor : `${actor} @${name}`
}

/** Through what it came about: an import, a request, another event, nothing that is known. */
const originText = ({ at, metadata }: RecordedEvent, { cause }: Named): string => {
  const { causationId, occurredAt, requestId } = metadata
  if (occurredAt !== undefined) return `  imported ${isoMillis(at)}`
  if (requestId !== undefined) return `  request ${requestId}`
  return causationId === undefined ? "" : `  because of ${cause(causationId) ?? `event ${causationId}`}`
}

const isTold = ({ name }: ChangedField): boolean => isBefore(name)

/**
 * Makes a text of each event of a stream, in order: when it happened, who did it through what, and the fields in the words of the
 * interface with their values, those that changed with the value before.
 */
export const eventTexts = () => {
  const known = new Map<string, string>()
  const fieldText = ({ name: field, value }: ChangedField, before: ReadonlyMap<string, string>, named: Named): string => {
    const [text, word] = [textOf(field, value, named), interfaceWord(field)]
    // What the event tells of before is true; otherwise it is what another one told last.
    const earlier = isChange(field) ? (before.get(word) ?? known.get(word)) : undefined
    known.set(word, text)
    return `    ${word}: ${earlier === undefined ? "" : `${earlier} -> `}${text}`
  }
  return (recorded: RecordedEvent, named: Named): string => {
    const { data, metadata, revision, type } = recorded
    const { onBehalfOf } = metadata
    const who =
      actorText(metadata.actor, named) + (onBehalfOf === undefined ? "" : ` on behalf of ${actorText(onBehalfOf, named)}`)
    const all = changedFields(withoutSecrets(data))
    const before = new Map(all.filter(isTold).map(({ name, value }) => [interfaceWord(name), textOf(name, value, named)]))
    const fields = all.filter((field) => !isTold(field)).map((field) => fieldText(field, before, named))
    const { at } = asItHappened(recorded)
    return [`${isoMillis(at)}  ${revision}  ${type}  ${who}${originText(recorded, named)}`, ...fields].join("\n")
  }
}
