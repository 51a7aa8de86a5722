import { HashMap, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { pipelineAggregate } from "#src/pipelines/aggregate.ts"
import type { Command } from "#src/pipelines/commands.ts"
import { type NewJob, PipelineEvent, pipelineCodec, Source, type StatusDetails, When } from "#src/pipelines/events.ts"
import { jobNamed, latestBuilds, latestStatuses, partOf, type State } from "#src/pipelines/state.ts"
import { isFinished, isOpen, statuses, statusOfAll, targetStatuses } from "#src/pipelines/status.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"
import { create, pipeline } from "./samples.ts"

const text = fc.string({ maxLength: 4 })
const id = fc.integer({ min: 1, max: 4 })
const status = fc.constantFrom(...statuses)
const details: fc.Arbitrary<StatusDetails> = fc.record({
  targetUrl: fc.option(text),
  description: fc.option(text),
  coverage: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 100 }))
})
const someDetails = fc.oneof(details, fc.constant({}), fc.record({ description: text }))
const newJob = (id: fc.Arbitrary<number>): fc.Arbitrary<NewJob> =>
  fc.record(
    {
      id,
      name: fc.constantFrom("a", "b", "c", "d", "e"),
      stage: text,
      stageIndex: fc.integer({ min: 0, max: 3 }),
      when: fc.constantFrom(...When.literals),
      allowFailure: fc.boolean(),
      allowFailureExitCodes: fc.array(id, { maxLength: 1 }),
      needs: fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 2 }),
      needsWithoutArtifacts: fc.array(fc.constantFrom("a", "b"), { maxLength: 1 }),
      retry: fc.record({
        max: fc.integer({ min: 0, max: 2 }),
        when: fc.constantFrom(["always"], ["script_failure"]),
        exitCodes: fc.array(id, { maxLength: 1 })
      }),
      interruptible: fc.boolean(),
      parallel: fc.record({ index: id, total: id }),
      coverage: text,
      tags: fc.array(text, { maxLength: 1 }),
      playVariables: text,
      variables: fc.array(fc.record({ key: text, value: text, isExpanded: fc.boolean() }), { maxLength: 1 }),
      definition: fc.record({ script: fc.array(text, { maxLength: 1 }) })
    },
    {
      requiredKeys: [
        "id",
        "name",
        "stage",
        "stageIndex",
        "when",
        "allowFailure",
        "retry",
        "interruptible",
        "tags",
        "variables",
        "definition"
      ]
    }
  )

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
  fc
    .record({
      projectId: id,
      sha: text,
      ref: text,
      isTag: fc.boolean(),
      by: id,
      jobs: fc.array(newJob(id), { maxLength: 2 }),
      replaces: fc.array(id, { maxLength: 2 })
    })
    .map((data) => cases.JobsAdded.make(data)),
  fc.record({ id, status, by: id, variables: text }, { requiredKeys: ["id", "status"] }).map((data) => cases.JobMoved.make(data)),
  fc.record({ id, claim: id, executor: text, by: id }).map((data) => cases.JobClaimed.make(data)),
  fc.record({ id, claim: id }).map((data) => cases.JobReturned.make(data)),
  fc
    .record(
      { id, status, allowFailure: fc.boolean(), coverage: fc.constant(1.5), exitCode: id, failureReason: text },
      { requiredKeys: ["id", "status"] }
    )
    .map((data) => cases.JobEnded.make(data)),
  fc.record({ status, isStart: fc.boolean() }).map((data) => cases.PipelineMoved.make(data)),
  fc.option(text).map((name) => cases.PipelineRenamed.make({ name })),
  fc.constant(cases.PipelineDeleted.make({}))
)

/** An id that `numbered` may have given. */
const jobId = fc.integer({ min: 1, max: 120 })

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ ...said, status: fc.constantFrom(...targetStatuses), details: someDetails })
      .map((data): Command => ({ _tag: "PostStatus", pipeline, maxJobs: 40, ...data }))
  },
  {
    weight: 3,
    arbitrary: fc.array(newJob(id), { minLength: 1, maxLength: 5 }).map((jobs): Command => create(...jobs))
  },
  {
    weight: 8,
    arbitrary: fc.oneof(
      fc.record({ id: jobId, claim: id }).map((data): Command => ({ _tag: "ClaimJob", executor: "one", by: 1, ...data })),
      fc
        .record({ id: jobId, claim: id, status: fc.constantFrom("success", "failed") })
        .map((data): Command => ({ _tag: "EndJob", newId: 0, ...data })),
      fc.record({ id: jobId, claim: id }).map((data): Command => ({ _tag: "ReturnJob", ...data })),
      jobId.map((job): Command => ({ _tag: "PlayJob", id: job, newId: 0, by: 2, maxJobs: 40 })),
      jobId.map((job): Command => ({ _tag: "CancelJob", id: job })),
      jobId.map((job): Command => ({ _tag: "RetryJob", newIds: new Map([[job, 0]]), by: 2, maxJobs: 40 })),
      fc.constant<Command>({ _tag: "RetryFailed", newIds: new Map(), by: 2, maxJobs: 40 })
    )
  },
  fc.constant<Command>({ _tag: "Cancel" }),
  text.map((name): Command => ({ _tag: "Rename", name })),
  fc.constant<Command>({ _tag: "Delete" })
)

const distinct = (jobs: ReadonlyArray<NewJob>): ReadonlyArray<NewJob> =>
  [...new Map(jobs.map((job) => [job.name, job])).values()].toSorted((a, b) => a.stageIndex - b.stageIndex)

/** Every status and job has an id of its own, and every job needs others that are before it. */
const withIds = (command: Command, first: number): Command => {
  switch (command._tag) {
    case "PostStatus":
      return { ...command, id: first, name: `status ${command.name}` }
    case "Create": {
      const jobs = distinct(command.jobs)
      const before = (index: number) => jobs.slice(0, index).map(({ name }) => name)
      return {
        ...command,
        jobs: jobs.map(({ needs: waitsFor, ...job }, index) => ({
          ...job,
          id: first + index,
          ...(waitsFor && { needs: waitsFor.filter((name) => before(index).includes(name)) })
        }))
      }
    }
    case "EndJob":
    case "PlayJob":
      return { ...command, newId: first }
    case "RetryJob":
      return { ...command, newIds: new Map([...command.newIds.keys()].map((id) => [id, first])) }
    case "RetryFailed":
      return { ...command, newIds: new Map([1, 2, 3, 4, 5].map((id) => [id, first + id])) }
    default:
      return command
  }
}

const numbered = (commands: ReadonlyArray<Command>): ReadonlyArray<Command> =>
  commands.map((each, index) => withIds(each, index * 8 + 1))

const latestOf = (state: State) =>
  state._tag === "Present" ? [...latestBuilds(state.pipeline), ...latestStatuses(state.pipeline)] : []
const jobsOf = (state: State) =>
  state._tag === "Present" ? [...latestOf(state), ...HashMap.values(state.pipeline.replaced)] : []

describe("laws of pipelines", () => {
  const fold = foldOf(pipelineAggregate)
  const step = stepOf(pipelineAggregate)
  const stories = fc
    .array(command, { maxLength: 12 })
    .map((commands) => numbered(commands).reduce(step, pipelineAggregate.initial))

  itFoldsInParts(fold, event)
  itIsStored(pipelineCodec, event)

  it("jobs of the first version, of which each need said whether artifacts are handed on, are read", () => {
    const shared = { projectId: 1, sha: "a", ref: "main", isTag: false, by: 2, replaces: [] }
    const first = { id: 1, name: "build", stage: "build", stageIndex: 1, when: "on_success", allowFailure: false } as const
    const plain = {
      ...first,
      retry: { max: 0, when: [], exitCodes: [] },
      interruptible: false,
      tags: [],
      variables: [],
      definition: {}
    }
    const [a, b] = [
      { name: "a", artifacts: true },
      { name: "b", artifacts: false }
    ]
    const data = { ...shared, jobs: [plain, { ...plain, needs: [] }, { ...plain, needs: [a] }, { ...plain, needs: [a, b] }] }
    const stored = { stream: "pipeline-1", revision: 1, type: "JobsAdded", schemaVersion: 1, data }
    const jobs = [
      plain,
      { ...plain, needs: [] },
      { ...plain, needs: ["a"] },
      { ...plain, needs: ["a", "b"], needsWithoutArtifacts: ["b"] }
    ]
    expect(pipelineCodec.decode(stored)).toEqual(Result.succeed({ _tag: "JobsAdded", ...shared, jobs }))
  })

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
        const together = statusOfAll(latestOf(state).map(partOf))
        expect(state._tag === "Present" ? state.pipeline.status : together).toBe(together)
      })
    )
  })

  it("whatever commands come, no two latest jobs have the same name", () => {
    fc.assert(
      fc.property(stories, (state) => {
        const names = latestOf(state).map(({ name }) => name)
        expect(new Set(names).size).toBe(names.length)
      })
    )
  })

  it("whatever commands come, its latest jobs are counted and found by their names", () => {
    fc.assert(
      fc.property(stories, (state) => {
        if (state._tag !== "Present") return
        const { pipeline } = state
        const latest = latestOf(state)
        const words = latest.map((job) => JSON.stringify(partOf(job)))
        const counts = new Map(words.map((word) => [word, words.filter((other) => other === word).length]))
        const tallies = [...pipeline.tallies.values()].map(({ count, ...part }) => [JSON.stringify(part), count] as const)
        expect(new Map(tallies)).toEqual(counts)
        expect(latest.map(({ name }) => jobNamed(pipeline, name))).toEqual(latest)
      })
    )
  })

  it("a canceled one has nothing that waits or runs", () => {
    fc.assert(
      fc.property(stories, (state) => {
        const open = latestOf(step(state, { _tag: "Cancel" })).filter((job) => isOpen(job.status))
        expect(open).toEqual([])
      })
    )
  })

  it("nothing is left that was created and of which all before has ended", () => {
    fc.assert(
      fc.property(stories, (state) => {
        const latest = state._tag === "Present" ? latestBuilds(state.pipeline) : []
        const hasEnded = (name: string) => latest.filter((job) => job.name === name).every(({ status }) => isFinished(status))
        const stuck = latest.filter(({ plan, status }) => {
          const before = latest.filter((other) => other.plan.stageIndex < plan.stageIndex).map(({ name }) => name)
          return status === "created" && (plan.needs ?? before).every(hasEnded)
        })
        expect(stuck).toEqual([])
      })
    )
  })

  it("only what runs has a claim", () => {
    fc.assert(
      fc.property(stories, (state) => {
        const wrong = jobsOf(state).filter(
          (job) => job._tag === "Build" && (job.claim !== undefined) !== (job.status === "running")
        )
        expect(wrong).toEqual([])
      })
    )
  })
})
