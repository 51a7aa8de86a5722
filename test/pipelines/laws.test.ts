import { HashMap } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Command, pipelineAggregate, type State } from "#src/pipelines/aggregate.ts"
import { PipelineEvent, pipelineCodec, Source, type StatusDetails } from "#src/pipelines/events.ts"
import { statuses, statusOfAll, targetStatuses } from "#src/pipelines/status.ts"
import { foldOf, itFoldsInParts, itIsStored, obeyOf } from "#test/support/aggregateLaws.ts"
import { pipeline } from "./samples.ts"

const text = fc.string({ maxLength: 4 })
const id = fc.integer({ min: 1, max: 4 })
const status = fc.constantFrom(...statuses)
const details: fc.Arbitrary<StatusDetails> = fc.record({
  targetUrl: fc.option(text),
  description: fc.option(text),
  coverage: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 100 }))
})
const someDetails = fc.oneof(details, fc.constant({}), fc.record({ description: text }))
const created = fc.record({
  projectId: id,
  iid: id,
  sha: text,
  ref: text,
  isTag: fc.boolean(),
  source: fc.constantFrom(...Source.literals),
  createdBy: id
})
const said = { id, name: fc.constantFrom("a", "b"), ref: fc.constantFrom("main", "topic"), postedBy: id }

const { cases } = PipelineEvent
const event: fc.Arbitrary<PipelineEvent> = fc.oneof(
  created.map((data) => cases.PipelineCreated.make(data)),
  fc
    .record({ ...said, projectId: id, sha: text, status, details, replaces: fc.array(id, { maxLength: 2 }) })
    .map((data) => cases.StatusPosted.make(data)),
  fc.record({ id, status, details: someDetails }).map((data) => cases.StatusChanged.make(data)),
  fc.record({ status, isStart: fc.boolean() }).map((data) => cases.PipelineMoved.make(data)),
  fc.option(text).map((name) => cases.PipelineRenamed.make({ name })),
  fc.constant(cases.PipelineDeleted.make({}))
)

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ ...said, status: fc.constantFrom(...targetStatuses), details: someDetails })
      .map((data): Command => ({ _tag: "PostStatus", pipeline, ...data }))
  },
  fc.constant<Command>({ _tag: "Cancel" }),
  text.map((name): Command => ({ _tag: "Rename", name })),
  fc.constant<Command>({ _tag: "Delete" })
)

/** Every status has an id of its own. */
const numbered = (commands: ReadonlyArray<Command>): ReadonlyArray<Command> =>
  commands.map((each, index) => (each._tag === "PostStatus" ? { ...each, id: index + 1 } : each))

const jobsOf = (state: State) => (state._tag === "Present" ? [...HashMap.values(state.pipeline.jobs)] : [])

describe("laws of pipelines", () => {
  const fold = foldOf(pipelineAggregate)
  const obey = obeyOf(pipelineAggregate)
  const stories = fc
    .array(command, { maxLength: 12 })
    .map((commands) => numbered(commands).reduce(obey, pipelineAggregate.initial))

  itFoldsInParts(fold, event)
  itIsStored(pipelineCodec, event)

  it("a deleted pipeline stays deleted", () => {
    const events = fc.array(event, { maxLength: 8 })
    fc.assert(
      fc.property(events, (later) => {
        expect(fold(later, { _tag: "Deleted" })).toEqual({ _tag: "Deleted" })
      })
    )
  })

  it("whatever commands come, its status is that of its latest statuses together", () => {
    fc.assert(
      fc.property(stories, (state) => {
        const latest = jobsOf(state).filter(({ isReplaced }) => !isReplaced)
        const together = statusOfAll(latest.map((job) => ({ status: job.status, allowFailure: false })))
        expect(state._tag === "Present" ? state.pipeline.status : together).toBe(together)
      })
    )
  })

  it("whatever commands come, no two latest statuses have the same name", () => {
    fc.assert(
      fc.property(stories, (state) => {
        const names = jobsOf(state).flatMap(({ isReplaced, name }) => (isReplaced ? [] : [name]))
        expect(new Set(names).size).toBe(names.length)
      })
    )
  })

  it("a canceled one has nothing that waits or runs", () => {
    fc.assert(
      fc.property(stories, (state) => {
        const open = jobsOf(obey(state, { _tag: "Cancel" })).filter(
          (job) => !job.isReplaced && (job.status === "pending" || job.status === "running")
        )
        expect(open).toEqual([])
      })
    )
  })
})
