import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { asItHappened, type RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { userOf } from "../../platform/Origin.ts"
import { scheduleStream } from "../../schedules/ids.ts"
import { slotIdOf } from "../../schedules/slots/ids.ts"
import { type ChangedField, changedFields, withoutSecrets } from "./changedFields.ts"
import { impliedBy, interfaceWord, isBefore, isChange, type NamedThing, partField, thingOf } from "./interfaceWords.ts"

/** What is known of others whom events name by their ids. */
export interface Named {
  /** The name of a user, or the title of a label or milestone, that is there. */
  readonly nameOf: (thing: NamedThing, id: number) => string | undefined
  /** What the event with this id was, where it is known. */
  readonly cause: (eventId: string) => string | undefined
}

/** Fields that hold times, in milliseconds since 1970, or several. */
const timeName = /(?:^|\.)(?:at|lastAt|nextRunAt|scheduledFor|slots)$/

const timeText = (value: unknown): unknown => (typeof value === "number" ? isoMillis(value) : value)

const listText = (value: unknown, textOf: (one: unknown) => string): string =>
  Array.isArray(value) ? `[${value.map(textOf).join(",")}]` : textOf(value)

/** How texts refer to what has a name: `@root`, `~"bug"`, `%"Version 1.0"`. */
const references: Readonly<Record<NamedThing, (name: string) => string>> = {
  user: (name) => `@${name}`,
  label: (title) => `~${JSON.stringify(title)}`,
  milestone: (title) => `%${JSON.stringify(title)}`
}

const referenceText = (thing: NamedThing, id: unknown, { nameOf }: Named): string => {
  const name = typeof id === "number" ? nameOf(thing, id) : undefined
  return name === undefined ? JSON.stringify(id) : references[thing](name)
}

const textOf = (thing: NamedThing | undefined, field: string, value: unknown, named: Named): string =>
  listText(value, (one) =>
    thing === undefined ? JSON.stringify(timeName.test(field) ? timeText(one) : one) : referenceText(thing, one, named)
  )

const actorText = (actor: string, named: Named): string => {
  const id = userOf(actor)
  const name = id === undefined ? undefined : named.nameOf("user", id)
  return name === undefined ? actor : `${actor} @${name}`
}

/** Through what it came about: an import, a request, another event, nothing that is known. */
const originText = ({ at, metadata }: RecordedEvent, { cause }: Named): string => {
  const { causationId, occurredAt, requestId } = metadata
  if (occurredAt !== undefined) return `  imported ${isoMillis(at)}`
  if (requestId !== undefined) return `  request ${requestId}`
  return causationId === undefined ? "" : `  because of ${cause(causationId) ?? `event ${causationId}`}`
}

/** The stream of what an event of a stream tells of: slots tell when their schedule runs next. */
const ownerOf = (stream: string): string => {
  const slot = slotIdOf(stream)
  return slot === undefined ? stream : scheduleStream(slot.scheduleId)
}

/** Where what an event tells is known from: what it is about as a whole, or one part of it. What begins a stream is told of both. */
const placesOf = ({ data, revision, stream, type }: RecordedEvent): ReadonlyArray<string> => {
  const field = partField(type)
  const part = changedFields(data).find(({ name }) => name === field)?.value
  const whole = ownerOf(stream)
  if (part === undefined) return [whole]
  return [...(revision === 0 ? [whole] : []), `${whole} ${part}`]
}

const isTold = ({ name }: ChangedField): boolean => isBefore(name)

/**
 * Makes a text of each event of a stream, in order: when it happened, who did it through what, and the fields in the words of the
 * interface with their values, those that changed with the value before.
 */
export const eventTexts = () => {
  const known = new Map<string, string>()
  return (recorded: RecordedEvent, named: Named): string => {
    const { metadata, revision, type } = recorded
    const valueText = ({ name, value }: ChangedField) => textOf(thingOf(type, name), name, value, named)
    const places = placesOf(recorded)
    const know = (word: string, text: string): void => {
      for (const place of places) known.set(`${place} ${word}`, text)
    }
    const fieldText = (field: ChangedField, before: ReadonlyMap<string, string>): string => {
      const [text, word] = [valueText(field), interfaceWord(type, field.name)]
      // What the event tells of before is true; otherwise it is what another one told last.
      const earlier = isChange(type, field.name) ? (before.get(word) ?? known.get(`${places.at(-1)} ${word}`)) : undefined
      know(word, text)
      return `    ${word}: ${earlier === undefined ? "" : `${earlier} -> `}${text}`
    }
    const { onBehalfOf } = metadata
    const who =
      actorText(metadata.actor, named) + (onBehalfOf === undefined ? "" : ` on behalf of ${actorText(onBehalfOf, named)}`)
    const all = changedFields(withoutSecrets(recorded))
    const before = new Map(all.filter(isTold).map((field) => [interfaceWord(type, field.name), valueText(field)]))
    const fields = all.filter((field) => !isTold(field)).map((field) => fieldText(field, before))
    for (const [word, text] of impliedBy(type)) know(word, text)
    const { at } = asItHappened(recorded)
    return [`${isoMillis(at)}  ${revision}  ${type}  ${who}${originText(recorded, named)}`, ...fields].join("\n")
  }
}
