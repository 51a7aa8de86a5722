import { describe, expect, it } from "vitest"
import { pipelineAggregate } from "#src/pipelines/aggregate.ts"
import type { Command, Refusal } from "#src/pipelines/commands.ts"
import { PipelineEvent } from "#src/pipelines/events.ts"
import type { State } from "#src/pipelines/state.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"
import { create, job, pipeline, post, stateBehind } from "./samples.ts"

const { cases } = PipelineEvent
const outcome = outcomeOf(pipelineAggregate)
const none = { targetUrl: null, description: null, coverage: null }
const { projectId, sha } = pipeline

const created = cases.PipelineCreated.make(pipeline)
const posted = cases.StatusPosted.make({
  id: 11,
  projectId,
  sha,
  name: "ci",
  ref: "main",
  postedBy: 7,
  status: "pending",
  details: none,
  replaces: []
})
const moved = (status: "pending" | "running" | "success" | "failed" | "canceled", isStart = false) =>
  cases.PipelineMoved.make({ status, isStart })

const commands: { readonly [Tag in Command["_tag"]]: Command } = {
  PostStatus: post,
  Create: create(job(21, "build")),
  PlayJob: { _tag: "PlayJob", id: 10, newId: 31, by: 8, maxJobs: 1000 },
  RetryJob: { _tag: "RetryJob", newIds: new Map([[10, 31]]), by: 8, maxJobs: 1000 },
  RetryFailed: { _tag: "RetryFailed", newIds: new Map([[10, 31]]), by: 8, maxJobs: 1000 },
  CancelJob: { _tag: "CancelJob", id: 10 },
  ClaimJob: { _tag: "ClaimJob", id: 10, claim: 41, executor: "one", by: 8 },
  ReturnJob: { _tag: "ReturnJob", id: 10, claim: 41 },
  EndJob: { _tag: "EndJob", id: 10, claim: 41, status: "success", newId: 31 },
  DropJobs: { _tag: "DropJobs", by: 7, failureReason: "user_blocked" },
  Cancel: { _tag: "Cancel" },
  CancelRedundant: { _tag: "CancelRedundant" },
  Rename: { _tag: "Rename", name: "nightly" },
  Delete: { _tag: "Delete" }
}

const states: { readonly [Tag in State["_tag"]]: State } = {
  Absent: { _tag: "Absent" },
  Present: stateBehind({ ...post, id: 10, name: "lint", status: "running" }),
  Deleted: { _tag: "Deleted" }
}

type Expected = ReadonlyArray<PipelineEvent> | Refusal["_tag"]

const missing: Record<Command["_tag"], Expected> = {
  PostStatus: "PipelineMissing",
  Create: "PipelineMissing",
  PlayJob: "PipelineMissing",
  RetryJob: "PipelineMissing",
  RetryFailed: "PipelineMissing",
  CancelJob: "PipelineMissing",
  ClaimJob: "PipelineMissing",
  ReturnJob: "PipelineMissing",
  EndJob: "PipelineMissing",
  DropJobs: "PipelineMissing",
  Cancel: "PipelineMissing",
  CancelRedundant: "PipelineMissing",
  Rename: "PipelineMissing",
  Delete: "PipelineMissing"
}

const table: Record<State["_tag"], Record<Command["_tag"], Expected>> = {
  Absent: {
    ...missing,
    PostStatus: [created, posted, moved("pending")],
    Create: [
      { ...created, source: "api" },
      cases.JobsAdded.make({
        projectId,
        sha,
        ref: "main",
        isTag: false,
        by: 7,
        jobs: [job(21, "build")],
        replaces: []
      }),
      cases.JobMoved.make({ id: 21, status: "pending" }),
      moved("pending")
    ]
  },
  // What services outside tell of is no job of the configuration.
  Present: {
    Create: [],
    PlayJob: "JobMissing",
    RetryJob: "JobMissing",
    RetryFailed: [],
    CancelJob: "JobMissing",
    ClaimJob: "JobMissing",
    ReturnJob: [],
    EndJob: "JobMissing",
    DropJobs: [],
    // One runs, so the pipeline does.
    PostStatus: [posted],
    Cancel: [cases.StatusChanged.make({ id: 10, status: "canceled", details: {} }), moved("canceled")],
    CancelRedundant: [cases.StatusChanged.make({ id: 10, status: "canceled", details: {} }), moved("canceled")],
    Rename: [cases.PipelineRenamed.make({ name: "nightly" })],
    Delete: [cases.PipelineDeleted.make({})]
  },
  Deleted: missing
}

describe("every command in every state", () => {
  itDecides(outcome, { commands, states, table })
})

describe("a status", () => {
  const later = { ...post, id: 12 }

  it("that waits moves on, and what is not said of it stays", () => {
    const before = stateBehind({ ...post, details: { targetUrl: "https://ci.example.com", coverage: 1 } })
    expect(
      outcome({ ...later, status: "running", details: { coverage: 2, targetUrl: "https://ci.example.com" } }, before)
    ).toEqual([cases.StatusChanged.make({ id: 11, status: "running", details: { coverage: 2 } }), moved("running", true)])
  })

  it.each(["pending", "running", "skipped"] as const)(
    "that runs cannot become %s, and nothing else of it is applied",
    (status) => {
      const before = stateBehind({ ...post, status: "running" })
      expect(outcome({ ...later, status, details: { description: "d" } }, before)).toBe("StatusCannotMove")
    }
  )

  it.each(["success", "failed", "canceled", "skipped"] as const)("that ended with %s is replaced", (status) => {
    const before = stateBehind({ ...post, status })
    expect(outcome(later, before)).toEqual([{ ...posted, id: 12, replaces: [11] }, moved("pending")])
  })

  it.each([{ ref: "topic" }, { postedBy: 8 }])("of the same name is replaced where %o differs", (other) => {
    expect(outcome({ ...later, ...other }, stateBehind(post))).toEqual([{ ...posted, ...other, id: 12, replaces: [11] }])
  })

  it("of another name stands beside it", () => {
    const before = stateBehind({ ...post, status: "success" })
    expect(outcome({ ...later, name: "lint", status: "failed" }, before)).toEqual([
      { ...posted, id: 12, name: "lint", status: "failed" },
      moved("failed")
    ])
  })

  it("makes no pipeline unless it is told which", () => {
    const { pipeline: _, ...other } = post
    expect(outcome(other, states.Absent)).toBe("PipelineMissing")
  })
})

it("a pipeline starts once", () => {
  const again = { ...post, id: 12, status: "running" } as const
  const before = stateBehind(
    { ...post, status: "running" },
    { ...post, id: 13, status: "success" },
    { ...again, status: "pending" }
  )
  expect(outcome(again, before)).toEqual([cases.StatusChanged.make({ id: 12, status: "running", details: {} }), moved("running")])
})

it("what has ended cannot be canceled, and a name that it has is no change", () => {
  const before = stateBehind({ ...post, status: "failed" }, { _tag: "Rename", name: "nightly" })
  expect([outcome(commands.Cancel, before), outcome(commands.Rename, before)]).toEqual([[], []])
})
