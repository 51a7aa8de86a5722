import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { isoMillis } from "../http/answer/jsonTimes.ts"
import { EventStore, type RecordedEvent } from "../platform/eventStore/EventStore.ts"
import { changedFields, withoutSecrets } from "./changedFields.ts"
import { CommandFailed } from "./exit.ts"
import { withHelp } from "./help.ts"
import { didYouMean } from "./similarNames.ts"
import { similarStreams, streamOf } from "./streamName.ts"

/** This many events are read and printed at a time. */
const page = 1_000

const asJson = ({ at, data, metadata, ...event }: RecordedEvent): string =>
  JSON.stringify({
    stream: event.stream,
    revision: event.revision,
    position: event.position,
    id: event.id,
    type: event.type,
    at: isoMillis(at),
    actor: metadata.actor,
    on_behalf_of: metadata.onBehalfOf ?? null,
    request_id: metadata.requestId ?? null,
    command_id: metadata.commandId,
    correlation_id: metadata.correlationId,
    causation_id: metadata.causationId ?? null,
    data: withoutSecrets(data),
    hash: event.hash
  })

const asText = ({ at, data, metadata, revision, type }: RecordedEvent): string => {
  const actor = metadata.onBehalfOf === undefined ? metadata.actor : `${metadata.actor} on behalf of ${metadata.onBehalfOf}`
  const request = metadata.requestId === undefined ? "" : `  request ${metadata.requestId}`
  const fields = changedFields(withoutSecrets(data)).map(({ name, value }) => `    ${name}: ${JSON.stringify(value)}`)
  return [`${isoMillis(at)}  ${revision}  ${type}  ${actor}${request}`, ...fields].join("\n")
}

const print = Effect.fnUntraced(function* (stream: string, present: (event: RecordedEvent) => string) {
  const store = yield* EventStore
  let from = 0
  for (;;) {
    const events = yield* store.read(stream, { from, limit: page })
    if (events.length > 0) yield* Console.log(events.map(present).join("\n"))
    from += events.length
    if (events.length < page) return from
  }
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
    const events = yield* print(stream, json ? asJson : asText)
    if (events > 0) return
    const similar = didYouMean(yield* similarStreams(stream))
    return yield* new CommandFailed({ message: `There is no stream ${stream}${similar}\n  Help: npx chronoforge history --help` })
  })
).pipe(
  withHelp({
    brief: "Show what happened to one thing",
    text:
      "Prints the events of a stream, oldest first: time, revision, type, actor, request, and the fields with their values. " +
      "Secrets are never shown: sealed texts appear as [sealed], digests as [digest]. Users, groups, projects, repositories, imports, " +
      "clusters and keys are found by their paths and names too; what is deleted, by its id alone.",
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
        command: "npx chronoforge history --json personalAccessToken-1",
        description: "To a token by its id, one JSON object for each event"
      }
    ]
  })
)
