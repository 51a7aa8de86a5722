import { Effect } from "effect"
import { AppConfig, redacted } from "../../config.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { userOf } from "../../platform/Origin.ts"
import { query, Sql } from "../../platform/sql/Sql.ts"
import { changedFields } from "./changedFields.ts"
import type { Named } from "./eventText.ts"
import { isOfUsers } from "./interfaceWords.ts"

const isNumber = (value: unknown): value is number => typeof value === "number"

/** The ids of the users whom an event names. */
const usersOf = ({ data, metadata }: RecordedEvent): ReadonlyArray<number> => [
  ...[metadata.actor, metadata.onBehalfOf ?? ""].flatMap((actor) => userOf(actor) ?? []),
  ...changedFields(data).flatMap(({ name, value }) => (isOfUsers(name) ? [value].flat().filter(isNumber) : []))
]

const usernames = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
  const { client } = yield* Sql
  const rows = yield* query(
    () => client<Array<{ id: number; username: string }>>`
      select id, username from rm_users.users where id = any(${[...new Set(ids)]}::bigint[])`
  )
  return new Map(rows.map(({ id, username }) => [id, username]))
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

/** Finds out what is to be said of the users and the events that some events name. */
export const namedBy = Effect.fn("cli.namedBy")(function* (events: ReadonlyArray<RecordedEvent>) {
  const ofCauses = yield* causes(events.flatMap(({ metadata }) => metadata.causationId ?? []))
  const actors = ofCauses.flatMap(({ actor }) => userOf(actor) ?? [])
  const names = yield* usernames([...events.flatMap(usersOf), ...actors])
  const texts = new Map(
    ofCauses.map(({ actor, id, revision, stream, type }) => {
      const name = names.get(userOf(actor) ?? 0)
      return [id, `${type} ${revision} of ${stream} by ${actor}${name === undefined ? "" : ` @${name}`}`]
    })
  )
  const named: Named = { username: (id) => names.get(id), cause: (id) => texts.get(id) }
  return named
})
