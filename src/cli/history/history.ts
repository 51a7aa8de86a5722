import { Console, Effect, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { awardsStream } from "../../awardEmoji/ids.ts"
import type { AppConfig } from "../../config.ts"
import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { blocksStream } from "../../mergeRequests/blocks/ids.ts"
import { contextCommitsStream } from "../../mergeRequests/contextCommits/ids.ts"
import { mergeRequestCodec } from "../../mergeRequests/events.ts"
import { mergeRequestKeyOf } from "../../mergeRequests/ids.ts"
import { systemNotesStream } from "../../notes/ids.ts"
import { EventStore, type RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { scheduleIdOf } from "../../schedules/ids.ts"
import { CommandFailed } from "../exit.ts"
import { withHelp } from "../help.ts"
import { didYouMean } from "../similarNames.ts"
import { withoutSecrets } from "./changedFields.ts"
import { eventTexts } from "./eventText.ts"
import { namedBy } from "./named.ts"
import { discussionStreams, type Page, slotStreams } from "./partStreams.ts"
import { printHistory, type Selection } from "./printHistory.ts"
import { shownCommandId } from "./secretFields.ts"
import { pipelineBeginning } from "./slotPipeline.ts"
import { isKind, similarStreams, streamOf } from "./streamName.ts"

const asJson = ({ at, metadata, ...event }: RecordedEvent): string =>
  JSON.stringify({
    stream: event.stream,
    revision: event.revision,
    position: event.position,
    id: event.id,
    type: event.type,
    at: isoMillis(at),
    occurred_at: metadata.occurredAt === undefined ? null : isoMillis(metadata.occurredAt),
    actor: metadata.actor,
    on_behalf_of: metadata.onBehalfOf ?? null,
    request_id: metadata.requestId ?? null,
    command_id: shownCommandId(metadata.commandId),
    correlation_id: metadata.correlationId,
    causation_id: metadata.causationId ?? null,
    data: withoutSecrets(event),
    hash: event.hash
  })

/** Writes events, the earlier ones of the same history first. */
const printing = (isJson: boolean) => {
  const textOf = eventTexts()
  return Effect.fnUntraced(function* (events: ReadonlyArray<RecordedEvent>) {
    if (events.length === 0) return
    if (isJson) return yield* Console.log(events.map(asJson).join("\n"))
    const named = yield* namedBy(events)
    yield* Console.log(events.map((event) => textOf(event, named)).join("\n"))
  })
}

/** What a merge request was awarded. It is known by its id among all of them, which its first event tells. */
const awardsOf = Effect.fnUntraced(function* (stream: string) {
  const [first] = yield* EventStore.use((store) => store.read(stream, { limit: 1 }))
  const opened = first && Result.getOrUndefined(mergeRequestCodec.decode(first))
  return opened?._tag === "MergeRequestOpened" ? [awardsStream({ type: "MergeRequest", id: opened.id })] : []
})

type Chosen = Selection<AppConfig | EventStore | Sql>

/**
 * What belongs to the history of a stream: the runs of a schedule, the blocks, context commits, award emoji and discussions of a merge
 * request.
 */
const selectionOf = Effect.fnUntraced(function* (stream: string) {
  const [scheduleId, key] = [scheduleIdOf(stream), mergeRequestKeyOf(stream)]
  const alone: Chosen = { streams: [stream] }
  if (scheduleId !== undefined)
    return { ...alone, parts: (page: Page) => slotStreams(scheduleId, page), behind: pipelineBeginning }
  if (key === undefined) return alone
  const notes = systemNotesStream({ type: "mergeRequest", ...key })
  const ofRequest: Chosen = {
    streams: [stream, blocksStream(key), contextCommitsStream(key), notes, ...(yield* awardsOf(stream))],
    parts: (page: Page) => discussionStreams(key, page)
  }
  return ofRequest
})

/** The events of one stream, oldest first. */
export const history = Command.make(
  "history",
  {
    stream: Argument.String("stream").pipe(
      Argument.withDescription("A stream such as cluster-3, or words: cluster 3, user root, project team/demo"),
      Argument.variadic({ min: 1 })
    ),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object a line"), Flag.withDefault(false))
  },
  Effect.fn("cli.history")(function* ({ json, stream: words }) {
    const stream = yield* streamOf(words)
    const print = printing(json)
    if ((yield* printHistory(yield* selectionOf(stream), print)) > 0) return
    const [kind = "", ...rest] = words
    if (rest.length > 0 && isKind(kind)) return yield* new CommandFailed({ message: `There is no ${words.join(" ")}` })
    const similar = didYouMean(yield* similarStreams(stream))
    return yield* new CommandFailed({ message: `There is no stream ${stream}${similar}\n  Help: npx chronoforge history --help` })
  })
).pipe(
  withHelp({
    brief: "Show what happened to one thing",
    text:
      "Prints the events of a stream, oldest first: time, revision, type, actor, request or cause, and the fields with their values in the " +
      "words of the API, those that changed with the value before; with --json as they are stored. With a pipeline schedule come its runs, " +
      "with a merge request its blocks, context commits, award emoji and discussions. Each run with how its pipeline began, and each " +
      "discussion, is printed as a whole where it began: what happened meanwhile comes after it. " +
      "Secrets are never shown: sealed texts appear as [sealed], digests of tokens and passwords as [digest], the folders of uploads as " +
      "[secret]. Users, groups, projects, repositories, imports, " +
      "clusters and keys are found by their paths and names too, users, groups, projects and merge requests also by former ones and after their end; what else is deleted, by its id alone.",
    examples: [
      { command: "npx chronoforge history user root", description: "Everything that happened to a user" },
      { command: "npx chronoforge history project root/demo", description: "To a project, by its path; a group likewise" },
      {
        command: "npx chronoforge history repository root/demo",
        description: "To its branches and tags: who moved them, when, from where"
      },
      {
        command: "npx chronoforge history cluster staging",
        description: "To a cluster by its name; a key by its title or fingerprint"
      },
      {
        command: "npx chronoforge history schedule root/demo 4",
        description: "To pipeline schedule 4 of a project: its changes and its runs with their pipelines"
      },
      {
        command: "npx chronoforge history merge-request root/demo!3",
        description: "To merge request !3 of a project; a pipeline likewise, by its ID: pipeline root/demo 7"
      },
      {
        command: "npx chronoforge history --json personalAccessToken-1",
        description: "To a token by its id, one JSON object for each event"
      }
    ]
  })
)
