import { Effect } from "effect"
import { AppConfig, redacted } from "../../config.ts"
import { query, Sql } from "../../platform/sql/Sql.ts"
import { Projects } from "../../projects/Projects.ts"
import { scheduleStream } from "../../schedules/ids.ts"
import { ScheduleQueries } from "../../schedules/Queries.ts"
import { CommandFailed, WrongUsage } from "../exit.ts"
import { isNamedKind, streamsNamed } from "./namedStreams.ts"
import { similarNames } from "./similarNames.ts"

/** The words that people use for streams with another name. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["token", "personalAccessToken"],
  ["deploy-key", "deployKey"]
])

const nameMissing = (kind: string) =>
  new WrongUsage({ message: `Which ${kind}? Name it behind the word: npx chronoforge history ${kind} <ID or name>` })

/** A schedule by the path of its project and its id. One that is deleted is found by its id alone. */
const scheduleOf = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const [path, id] = [words.slice(0, -1).join(" "), Number(words.at(-1))]
  const found = yield* Projects.use((projects) => projects.find(path, undefined))
  const isId = Number.isSafeInteger(id) && id > 0
  const row = found && isId ? yield* ScheduleQueries.use((schedules) => schedules.find(found.project.id, id)) : undefined
  if (row === undefined) return yield* new CommandFailed({ message: `There is no schedule ${words.at(-1)} in a project ${path}` })
  return scheduleStream(row.id)
})

/** `cluster 3` and `cluster-3` are the stream `cluster-3`; `user root` and `project a/b` are the streams of what is called so. */
export const streamOf = Effect.fn("cli.streamOf")(function* (words: ReadonlyArray<string>) {
  const [kind = "", ...rest] = words
  const name = rest.join(" ")
  if (kind === "schedule" && rest.length > 1) return yield* scheduleOf(rest)
  if (name === "" && (isNamedKind(kind) || aliases.has(kind))) return yield* nameMissing(kind)
  if (name === "") return kind
  if (!isNamedKind(kind) || /^\d+$/.test(name)) return [aliases.get(kind) ?? kind, ...rest].join("-")
  const [stream, ...others] = yield* streamsNamed(kind, name)
  if (stream === undefined) return yield* new CommandFailed({ message: `There is no ${kind} ${name}` })
  if (others.length === 0) return stream
  return yield* new CommandFailed({ message: `There is more than one ${kind} ${name}: ${[stream, ...others].join(", ")}` })
})

/** At most this many streams are searched for similar names. */
const candidates = 1_000

/** The names of streams like this one. There are none where the log is not in Postgres, which alone can list streams cheaply. */
export const similarStreams = Effect.fn("cli.similarStreams")(function* (stream: string) {
  const { client } = yield* Sql
  const { eventStoreUrl } = yield* AppConfig
  if ((redacted(eventStoreUrl) ?? "") !== "") return []
  const start = stream.slice(0, 2)
  const folded = start.charAt(0).toLowerCase() + start.slice(1)
  const rows = yield* query(
    () => client<Array<{ stream: string }>>`
      select stream from chronoforge.events where revision = 0 and stream >= ${folded} and stream < ${`${folded}~`} limit ${candidates}`
  )
  return similarNames(
    stream,
    rows.map((row) => row.stream)
  )
})
