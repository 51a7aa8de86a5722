import { Effect } from "effect"
import { AppConfig, redacted } from "../../config.ts"
import { mergeRequestStream } from "../../mergeRequests/ids.ts"
import { pipelineStream } from "../../pipelines/ids.ts"
import { PipelineQueries } from "../../pipelines/Queries.ts"
import { EventStore } from "../../platform/eventStore/EventStore.ts"
import { query, Sql } from "../../platform/sql/Sql.ts"
import { projectStream } from "../../projects/ids.ts"
import { scheduleStream } from "../../schedules/ids.ts"
import { ScheduleQueries } from "../../schedules/Queries.ts"
import { CommandFailed, WrongUsage } from "../exit.ts"
import { similarNames } from "../similarNames.ts"
import { isNamedKind, projectIdsAt, streamsNamed } from "./namedStreams.ts"

/** The words that people use for streams with another name. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["token", "personalAccessToken"],
  ["deploy-key", "deployKey"],
  ["merge-request", "mergeRequest"]
])

const nameMissing = (kind: string) =>
  new WrongUsage({ message: `Which ${kind}? Name it behind the word: npx chronoforge history ${kind} <ID or name>` })

const ambiguous = (kind: string, name: string, streams: ReadonlyArray<string>) =>
  new CommandFailed({ message: `There is more than one ${kind} ${name}: ${streams.join(", ")}` })

type FindIn = (
  projectId: number,
  number: number
) => Effect.Effect<string | undefined, never, EventStore | ScheduleQueries | PipelineQueries>

interface Numbered {
  /** What people call it. */
  readonly called: string
  /** How one is named. */
  readonly form: string
  /** What is written before its number. */
  readonly sigil: string
  /** A path and a number. */
  readonly pattern: RegExp
  readonly find: FindIn
}

type Shown = Effect.Effect<{ readonly id: number } | undefined, never, ScheduleQueries | PipelineQueries>

/** What is named by its id, and found in a read model. */
const byId = (called: string, streamOf: (id: number) => string, find: (projectId: number, id: number) => Shown): Numbered => ({
  called,
  form: "group/project ID",
  sigil: "",
  pattern: /^(.+) (\d+)$/,
  find: (projectId, id) => Effect.map(find(projectId, id), (found) => found && streamOf(found.id))
})

const mergeRequestOf: FindIn = (projectId, iid) => {
  const stream = mergeRequestStream({ projectId, iid })
  return Effect.map(
    EventStore.use((store) => store.read(stream, { limit: 1 })),
    ([first]) => first && stream
  )
}

/** What has numbers in a project: the stream of one of them. Of what was deleted, schedules and pipelines are found by their ids alone: `schedule-4`. */
const numbered: Readonly<Record<string, Numbered>> = {
  schedule: byId("schedule", scheduleStream, (projectId, id) =>
    ScheduleQueries.use((schedules) => schedules.find(projectId, id))
  ),
  pipeline: byId("pipeline", pipelineStream, (projectId, id) =>
    PipelineQueries.use((pipelines) => pipelines.find(projectId, id))
  ),
  "merge-request": {
    called: "merge request",
    form: "group/project!number",
    sigil: "!",
    pattern: /^(.+?)[ !](\d+)$/,
    find: mergeRequestOf
  }
}

/** Whether words behind a kind are an ID or the rest of a stream's name, such as `4` and `1-4`, and neither a path nor a number in a project. */
const isStreamRest = (name: string): boolean => /^[\d-]+$/.test(name)

/** The stream of what is named by the path of its project and its number there: `tools/demo 4`, of a merge request also `tools/demo!4`. */
const numberedStream = Effect.fnUntraced(function* ({ called, find, form, pattern, sigil }: Numbered, name: string) {
  const [, path = "", digits = ""] = pattern.exec(name) ?? []
  if (digits === "") return yield* new WrongUsage({ message: `Name the ${called} as ${form}` })
  const projectIds = yield* projectIdsAt(path)
  if (projectIds.length > 1) return yield* ambiguous("project", path, projectIds.map(projectStream))
  const [projectId] = projectIds
  if (projectId === undefined) return yield* new CommandFailed({ message: `There is no project ${path}` })
  const number = Number(digits)
  const isNumber = Number.isSafeInteger(number) && number > 0
  const stream = isNumber ? yield* find(projectId, number) : undefined
  if (stream === undefined) return yield* new CommandFailed({ message: `There is no ${called} ${sigil}${digits} in ${path}` })
  return stream
})

/** Whether a word says what kind of thing is named behind it. */
export const isKind = (word: string): boolean => isNamedKind(word) || aliases.has(word) || Object.hasOwn(numbered, word)

/** `cluster 3` and `cluster-3` are the stream `cluster-3`; `user root` and `project a/b` are the streams of what is called so. */
export const streamOf = Effect.fn("cli.streamOf")(function* (words: ReadonlyArray<string>) {
  const [kind = "", ...rest] = words
  const name = rest.join(" ")
  const inProject = Object.hasOwn(numbered, kind) ? numbered[kind] : undefined
  if (inProject !== undefined && !isStreamRest(name)) return yield* numberedStream(inProject, name)
  if (name === "" && (isNamedKind(kind) || aliases.has(kind))) return yield* nameMissing(kind)
  if (name === "") return kind
  if (!isNamedKind(kind) || /^\d+$/.test(name)) return [aliases.get(kind) ?? kind, ...rest].join("-")
  const [stream, ...others] = yield* streamsNamed(kind, name)
  if (stream === undefined) return yield* new CommandFailed({ message: `There is no ${kind} ${name}` })
  if (others.length === 0) return stream
  return yield* ambiguous(kind, name, [stream, ...others])
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
