import { Clock, Console, Effect, Schedule } from "effect"
import { Argument, Command } from "effect/cli"
import { Projections, type RebuildProgress } from "../platform/Projections.ts"
import { CommandFailed } from "./exit.ts"
import { withHelp } from "./help.ts"
import { type ProgressBar, progressBar, thousands } from "./progressBar.ts"
import { didYouMean, similarNames } from "./similarNames.ts"

const pollInterval = "200 millis"
/** After this time the command says that it waits for the process that leads. */
const leaderNoticeMillis = 5_000

const checkNames = (names: ReadonlyArray<string>, known: ReadonlyArray<string>): Effect.Effect<void, CommandFailed> => {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return Effect.void
  const message = `There is no read model ${unknown}${didYouMean(similarNames(unknown, known)) || "."} Known: ${known.join(", ")}`
  return Effect.fail(new CommandFailed({ message }))
}

const isFinished = ({ state }: RebuildProgress): boolean => state !== "requested" && state !== "running"

const poll = (id: number): Effect.Effect<RebuildProgress, CommandFailed, Projections> =>
  Projections.use((projections) => projections.rebuildProgress(id)).pipe(
    Effect.filterOrFail(
      (progress) => progress !== undefined,
      () => new CommandFailed({ message: `The rebuild ${id} does not exist any more` })
    )
  )

const fractionOf = ({ head, position }: RebuildProgress): number => (head === 0 ? 0 : position / head)

const follow = Effect.fnUntraced(function* (id: number, bar: ProgressBar) {
  const start = yield* Clock.currentTimeMillis
  let isAnnounced = false
  const show = Effect.fnUntraced(function* (progress: RebuildProgress) {
    if (progress.state === "running") yield* bar.show(fractionOf(progress), progress.eventsPerSecond)
    const waited = (yield* Clock.currentTimeMillis) - start
    if (progress.state !== "requested" || isAnnounced || waited < leaderNoticeMillis) return
    isAnnounced = true
    yield* Console.error("Waiting for the leading process to start it")
  })
  return yield* poll(id).pipe(Effect.tap(show), Effect.repeat({ until: isFinished, schedule: Schedule.spaced(pollInterval) }))
})

/** Asks to cancel, and waits a moment for it, since this very process may be the one that rebuilds. */
const cancel = (id: number) =>
  Projections.use((projections) => projections.cancelRebuild(id)).pipe(
    Effect.andThen(
      Effect.timeout(Effect.repeat(poll(id), { until: isFinished, schedule: Schedule.spaced(pollInterval) }), "5 seconds")
    ),
    Effect.ignore,
    Effect.andThen(Console.error("Cancelled. The read models are as before; the same command goes on where this one stopped."))
  )

const differences = ({ differing, examples }: RebuildProgress): ReadonlyArray<string> => {
  const count = differing ?? 0
  if (count === 0) return ["Differences: nothing"]
  const more = count - examples.length
  return [
    `Differences: ${thousands(count)} rows`,
    ...examples.map((each) => `  ${each}`),
    ...(more > 0 ? [`  and ${thousands(more)} more`] : [])
  ]
}

/** What the read models lack though the log has it; undefined where they have everything. */
const parkedText = ({ firstParked, parkedStreams }: RebuildProgress): string | undefined => {
  if (firstParked === null) return undefined
  const { error, readModel, revision, stream, type } = firstParked
  const first = `${stream} at revision ${revision} (${type}) in ${readModel}: ${error.split("\n", 1)[0] ?? ""}`
  const count = `${thousands(parkedStreams)} ${parkedStreams === 1 ? "stream is" : "streams are"} parked`
  return `${count}, because an event cannot be read or shown; what follows in them is missing. The first: ${first}`
}

const report = Effect.fnUntraced(function* (progress: RebuildProgress) {
  if (progress.state === "failed")
    return yield* new CommandFailed({ message: `The rebuild failed: ${progress.error ?? "unknown reason"}` })
  if (progress.state === "cancelled") return yield* new CommandFailed({ message: "The rebuild was cancelled" })
  const what = `Rebuilt ${progress.readModels.join(", ")} from ${thousands(progress.events)} events`
  yield* Console.log([`${what}, ${thousands(progress.eventsPerSecond)} events/s`, ...differences(progress)].join("\n"))
  const message = parkedText(progress)
  if (message !== undefined) return yield* new CommandFailed({ message })
})

/** Makes read models anew from the log, beside the live ones, and swaps the two. */
export const rebuild = Command.make(
  "rebuild",
  {
    readModels: Argument.String("read model").pipe(
      Argument.withDescription("Name of a read model; all of them when none is named"),
      Argument.variadic()
    )
  },
  Effect.fn("cli.rebuild")(function* ({ readModels }) {
    const projections = yield* Projections
    yield* checkNames(readModels, projections.names)
    const names = readModels.length === 0 ? projections.names : [...new Set(readModels)]
    const id = yield* projections.requestRebuild(names)
    const bar = yield* progressBar
    const finished = yield* follow(id, bar).pipe(
      Effect.ensuring(bar.clear),
      Effect.onInterrupt(() => cancel(id))
    )
    yield* report(finished)
  })
).pipe(
  withHelp({
    brief: "Make read models anew from the event log",
    text:
      "Makes read models anew from the event log, beside the live ones, compares the two, swaps them, and prints what differed. " +
      "Fails where events cannot be read or shown: their streams are parked, and the first is named. " +
      "The service goes on meanwhile. Ctrl-C cancels; the same command then goes on where it stopped.",
    examples: [
      { command: "npx chronoforge rebuild", description: "All read models, in one pass over the log" },
      { command: "npx chronoforge rebuild users tokens", description: "Two of them" }
    ]
  })
)
