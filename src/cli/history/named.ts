import { Effect } from "effect"
import { AppConfig, redacted } from "../../config.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { userOf } from "../../platform/Origin.ts"
import { query, Sql } from "../../platform/sql/Sql.ts"
import { changedFields } from "./changedFields.ts"
import type { Named } from "./eventText.ts"
import { type NamedThing, thingOf } from "./interfaceWords.ts"

const isNumber = (value: unknown): value is number => typeof value === "number"

/** The ids of what an event names of a kind. */
const idsIn = (thing: NamedThing, { data, type }: RecordedEvent): ReadonlyArray<number> =>
  changedFields(data).flatMap(({ name, value }) => (thingOf(type, name) === thing ? [value].flat().filter(isNumber) : []))

/** The ids of the users who caused an event. */
const actorsOf = ({ metadata }: RecordedEvent): ReadonlyArray<number> =>
  [metadata.actor, metadata.onBehalfOf ?? ""].flatMap((actor) => userOf(actor) ?? [])

interface NameRow {
  readonly thing: NamedThing
  readonly id: number
  readonly name: string
}

/** The names of what is there of all this. */
const namesOf = Effect.fnUntraced(function* (ids: Readonly<Record<NamedThing, ReadonlyArray<number>>>) {
  const { client } = yield* Sql
  const rows = yield* query(
    () => client<Array<NameRow>>`
      select 'user' as thing, id, username as name from rm_users.users where id = any(${[...new Set(ids.user)]}::bigint[])
      union all select 'label', id, title from rm_labels.labels where id = any(${[...new Set(ids.label)]}::bigint[])
      union all select 'milestone', id, title from rm_milestones.milestones where id = any(${[...new Set(ids.milestone)]}::bigint[])`
  )
  const names = new Map(rows.map(({ id, name, thing }) => [`${thing} ${id}`, name]))
  return (thing: NamedThing, id: number) => names.get(`${thing} ${id}`)
})

interface Cause {
  readonly id: string
  readonly stream: string
  readonly revision: number
  readonly type: string
  readonly actor: string
}

/** Events by their ids; none where the log is not in Postgres, which alone finds them by it. */
const causes = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  const { client } = yield* Sql
  const { eventStoreUrl } = yield* AppConfig
  if ((redacted(eventStoreUrl) ?? "") !== "") return []
  return yield* query(
    () => client<Array<Cause>>`
      select id::text, stream, revision, type, metadata::json->>'actor' as actor from chronoforge.events
      where id = any(${[...new Set(ids)]}::uuid[])`
  )
})

/** Finds out what is to be said of the users, labels, milestones and events that some events name. */
export const namedBy = Effect.fn("cli.namedBy")(function* (events: ReadonlyArray<RecordedEvent>) {
  const ofCauses = yield* causes(events.flatMap(({ metadata }) => metadata.causationId ?? []))
  const actors = ofCauses.flatMap(({ actor }) => userOf(actor) ?? [])
  const nameOf = yield* namesOf({
    user: [...events.flatMap((event) => [...actorsOf(event), ...idsIn("user", event)]), ...actors],
    label: events.flatMap((event) => idsIn("label", event)),
    milestone: events.flatMap((event) => idsIn("milestone", event))
  })
  const texts = new Map(
    ofCauses.map(({ actor, id, revision, stream, type }) => {
      const name = nameOf("user", userOf(actor) ?? 0)
      return [id, `${type} ${revision} of ${stream} by ${actor}${name === undefined ? "" : ` @${name}`}`]
    })
  )
  const named: Named = { nameOf, cause: (id) => texts.get(id) }
  return named
})
