import { describe, expect, it } from "vitest"
import { pipelineAggregate } from "#src/pipelines/aggregate.ts"
import type { Command, EndJob } from "#src/pipelines/commands.ts"
import { PipelineEvent } from "#src/pipelines/events.ts"
import { latestBuilds, latestStatuses, type State } from "#src/pipelines/state.ts"
import { outcomeOf } from "#test/support/decisions.ts"
import { create, job, pipeline, post, stateBehind } from "./samples.ts"

const { cases } = PipelineEvent
const outcome = outcomeOf(pipelineAggregate)

const statusesIn = (state: State): string => {
  if (state._tag !== "Present") return state._tag
  const { pipeline } = state
  const latest = [...latestBuilds(pipeline), ...latestStatuses(pipeline)].sort((a, b) => a.id - b.id)
  const jobs = latest.map(({ name, status }) => `${name} ${status}`)
  return [...jobs, `= ${pipeline.status}`].join(", ")
}

const claim = (id: number, number = id + 100): Command => ({ _tag: "ClaimJob", id, claim: number, executor: "one", by: 9 })
const end = (id: number, status: EndJob["status"], others: Partial<EndJob> = {}): EndJob => ({
  _tag: "EndJob",
  id,
  claim: id + 100,
  status,
  newId: id + 50,
  ...others
})
/** A job that ran. */
const ran = (id: number, status: EndJob["status"], others: Partial<EndJob> = {}) => [claim(id), end(id, status, others)]
const retry = (id: number, newId: number): Command => ({ _tag: "RetryJob", newIds: new Map([[id, newId]]), by: 8, maxJobs: 1000 })
const play = (id: number, newId = 90): Command => ({ _tag: "PlayJob", id, newId, by: 8, maxJobs: 1000 })
const retryAll = (...ids: ReadonlyArray<readonly [number, number]>): Command => ({
  _tag: "RetryFailed",
  newIds: new Map(ids),
  by: 8,
  maxJobs: 1000
})

const once = { max: 1, when: ["always"], exitCodes: [] }
const [build, test, deploy] = [job(1, "build"), job(2, "test", { stageIndex: 1 }), job(3, "deploy", { stageIndex: 2 })]
const three = create(build, test, deploy)
const manual = { stageIndex: 1, when: "manual" } as const

const stories: ReadonlyArray<readonly [name: string, statuses: string, commands: ReadonlyArray<Command>]> = [
  ["the first stage waits for executors", "build pending, test created, deploy created, = pending", [three]],
  ["a claimed job runs", "build running, test created, deploy created, = running", [three, claim(1)]],
  [
    "the next stage begins when one has ended",
    "build success, test pending, deploy created, = running",
    [three, ...ran(1, "success")]
  ],
  ["what fails keeps later stages away", "build failed, test skipped, deploy skipped, = failed", [three, ...ran(1, "failed")]],
  [
    "what may fail keeps nothing away",
    "build failed, test pending, = pending",
    [create(job(1, "build", { allowFailure: true }), test), ...ran(1, "failed")]
  ],
  [
    "a pipeline of which all that failed may fail succeeds",
    "build failed, = success",
    [create(job(1, "build", { allowFailure: true })), ...ran(1, "failed")]
  ],
  [
    "what fails with an allowed code may fail",
    "build failed, test pending, = pending",
    [create(job(1, "build", { allowFailureExitCodes: [42] }), test), ...ran(1, "failed", { exitCode: 42 })]
  ],
  [
    "what fails with another code may not",
    "build failed, test skipped, = failed",
    [create(job(1, "build", { allowFailure: true, allowFailureExitCodes: [42] }), test), ...ran(1, "failed", { exitCode: 1 })]
  ],
  [
    "on_failure begins when something before failed, always in any case",
    "build failed, tell pending, clean pending, test skipped, = running",
    [
      create(
        build,
        job(2, "tell", { stageIndex: 1, when: "on_failure" }),
        job(3, "clean", { stageIndex: 1, when: "always" }),
        job(4, "test", { stageIndex: 1 })
      ),
      ...ran(1, "failed")
    ]
  ],
  [
    "on_failure is skipped when nothing failed",
    "build success, tell skipped, = success",
    [create(build, job(2, "tell", { stageIndex: 1, when: "on_failure" })), ...ran(1, "success")]
  ],
  ["what needs nothing begins at once", "build pending, test pending, = pending", [create(build, { ...test, needs: [] })]],
  [
    "what needs one does not wait for its stage",
    "build success, lint running, test pending, = running",
    [create(build, job(2, "lint"), job(3, "test", { stageIndex: 1, needs: ["build"] })), claim(2), ...ran(1, "success")]
  ],
  [
    "what needs a job of its own stage waits for it",
    "build pending, after created, = pending",
    [create(build, job(2, "after", { needs: ["build"] }))]
  ],
  [
    "what needs what was skipped is skipped, however far",
    "build failed, test skipped, deploy skipped, = failed",
    [create(build, { ...test, needs: ["build"] }, { ...deploy, needs: ["test"] }), ...ran(1, "failed")]
  ],
  [
    "a manual job blocks later stages",
    "build success, ask manual, deploy created, = manual",
    [create(build, job(2, "ask", manual), deploy), ...ran(1, "success")]
  ],
  [
    "a manual job that may fail blocks nothing",
    "build success, ask manual, deploy pending, = running",
    [create(build, job(2, "ask", { ...manual, allowFailure: true }), deploy), ...ran(1, "success")]
  ],
  [
    "a manual job that is played waits for an executor",
    "build success, ask pending, deploy created, = running",
    [create(build, job(2, "ask", manual), deploy), ...ran(1, "success"), play(2)]
  ],
  [
    "what needs a manual job comes about when it is played",
    "ask success, after pending, = running",
    [
      create(job(1, "ask", { when: "manual", allowFailure: true }), job(2, "after", { needs: ["ask"] })),
      play(1),
      ...ran(1, "success")
    ]
  ],
  [
    "a job that is retried brings back what was skipped because of it",
    "test created, deploy created, build pending, = pending",
    [three, ...ran(1, "failed"), retry(1, 51)]
  ],
  [
    "a pipeline is retried where it failed",
    "build success, deploy created, test pending, = running",
    [three, ...ran(1, "success"), ...ran(2, "failed"), retryAll([2, 52])]
  ],
  [
    "a pipeline that was canceled is retried as a whole",
    "build pending, test created, deploy created, = pending",
    [three, { _tag: "Cancel" }, retryAll([1, 51], [2, 52], [3, 53])]
  ],
  [
    "a job that is canceled keeps later stages away",
    "build canceled, test skipped, = canceled",
    [create(build, test), { _tag: "CancelJob", id: 1 }]
  ],
  [
    "a canceled pipeline has no job under way",
    "build canceled, test canceled, deploy canceled, = canceled",
    [three, { _tag: "Cancel" }]
  ],
  [
    "what fails is run again as often as it may",
    "build pending, = pending",
    [create(job(1, "build", { retry: once })), ...ran(1, "failed")]
  ],
  [
    "and not more often",
    "build failed, = failed",
    [create(job(1, "build", { retry: once })), ...ran(1, "failed"), ...ran(51, "failed")]
  ],
  [
    "a job whose executor is gone waits again",
    "build pending, = pending",
    [create(build), claim(1), { _tag: "ReturnJob", id: 1, claim: 101 }]
  ],
  [
    "what runs as somebody who was shut out fails, and is not run again",
    "build failed, test failed, deploy failed, ask manual, = manual",
    [
      create({ ...build, retry: once }, job(4, "ask", { when: "manual" }), test, deploy),
      claim(1),
      { _tag: "DropJobs", by: 7, failureReason: "user_blocked" }
    ]
  ],
  [
    "what others run goes on",
    "build running, = running",
    [create(build), claim(1), { _tag: "DropJobs", by: 8, failureReason: "user_blocked" }]
  ],
  [
    "a needless pipeline is canceled where nothing has begun that must not be interrupted",
    "build canceled, test canceled, = canceled",
    [create({ ...build, interruptible: true }, test), claim(1), { _tag: "CancelRedundant" }]
  ],
  [
    "and goes on where something has",
    "build success, test pending, = running",
    [create(build, { ...test, interruptible: true }), ...ran(1, "success"), { _tag: "CancelRedundant" }]
  ],
  [
    "also where that was run again since",
    "build pending, = pending",
    [create(build), ...ran(1, "failed"), retry(1, 51), { _tag: "CancelRedundant" }]
  ],
  [
    "a pipeline with a wrong configuration has failed",
    "= failed",
    [{ ...create(), pipeline: { ...pipeline, yamlErrors: "jobs config should contain at least one visible job" } }]
  ],
  ["a pipeline that its commit skips is skipped", "= skipped", [{ ...create(), pipeline: { ...pipeline, isSkipped: true } }]],
  [
    "statuses of outside count too",
    "build success, ci running, = running",
    [create(build), ...ran(1, "success"), { ...post, id: 7, status: "running" }]
  ]
]

describe("jobs", () => {
  it.each(stories)("%s", (_, statuses, commands) => {
    expect(statusesIn(stateBehind(...commands))).toBe(statuses)
  })

  it("of one pipeline are not claimed twice, nor ended by whoever lost the claim", () => {
    const running = stateBehind(three, claim(1))
    const returned = stateBehind(three, claim(1), { _tag: "ReturnJob", id: 1, claim: 101 }, claim(1, 200))
    expect([
      outcome(claim(1), running),
      outcome(claim(2), running),
      outcome(end(1, "success"), returned),
      outcome({ _tag: "ReturnJob", id: 1, claim: 101 }, returned),
      outcome(end(1, "success"), stateBehind(three, claim(1), { _tag: "Cancel" })),
      outcome(end(9, "success"), running)
    ]).toEqual(["JobNotFit", "JobNotFit", "ClaimLost", [], "ClaimLost", "JobMissing"])
  })

  it("that ended tell of it with the coverage and why they failed", () => {
    const told = { coverage: 81.5, exitCode: 3, failureReason: "script_failure" }
    expect(outcome(end(1, "failed", told), stateBehind(create(build), claim(1)))).toEqual([
      cases.JobEnded.make({ id: 1, status: "failed", ...told }),
      cases.PipelineMoved.make({ status: "failed", isStart: false })
    ])
  })

  it("that are retried run as whoever retries them, and are new ones", () => {
    const failed = stateBehind(create(build), ...ran(1, "failed"))
    const { projectId, sha } = pipeline
    expect(outcome(retry(1, 51), failed)).toEqual([
      cases.JobsAdded.make({ projectId, sha, ref: "main", isTag: false, by: 8, jobs: [{ ...build, id: 51 }], replaces: [1] }),
      cases.JobMoved.make({ id: 51, status: "pending" }),
      cases.PipelineMoved.make({ status: "pending", isStart: false })
    ])
  })

  it.each<readonly [string, Command, ReadonlyArray<Command>]>([
    ["play what is not manual", play(1), [three]],
    ["play what runs", play(1), [create(job(1, "ask", { when: "manual" })), play(1), claim(1)]],
    ["retry what waits", retry(1, 51), [three]],
    ["retry what was skipped", retry(2, 52), [three, ...ran(1, "failed")]]
  ])("refuse to %s", (_, command, before) => {
    expect(outcome(command, stateBehind(...before))).toBe("JobNotFit")
  })

  it("that were replaced are gone", () => {
    const before = stateBehind(create(build), ...ran(1, "failed"), retry(1, 51))
    expect([outcome(retry(1, 52), before), outcome({ _tag: "CancelJob", id: 1 }, before)]).toEqual(["JobMissing", "JobMissing"])
  })

  it("have names that services outside cannot use", () => {
    expect(outcome({ ...post, name: "build" }, stateBehind(three))).toBe("JobNameTaken")
  })

  it("of 500 in as many stages settle in one go", () => {
    const jobs = Array.from({ length: 500 }, (_, index) => job(index + 1, `job ${index}`, { stageIndex: index }))
    const state = stateBehind(create(...jobs), ...ran(1, "failed"))
    expect(state._tag === "Present" && latestBuilds(state.pipeline).map(({ status }) => status)).toEqual([
      "failed",
      ...jobs.slice(1).map(() => "skipped")
    ])
  })
})
