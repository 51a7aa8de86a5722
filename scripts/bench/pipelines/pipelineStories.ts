import { defined } from "#src/kernel/defined.ts"
import { type NewPipeline, PipelineEvent, pipelineCodec } from "#src/pipelines/events.ts"
import { pipelineStream } from "#src/pipelines/ids.ts"
import type { Status } from "#src/pipelines/Pipelines.ts"
import { type Story, story } from "../installation/Story.ts"
import { users } from "../installation/users.ts"
import { makeRandom, type Random } from "../random.ts"
import { jobsOfPipeline, pipelines, projects, rare, runs } from "./facts.ts"

type Place = Pick<NewPipeline, "iid" | "projectId">

const branches = 300
const tags = 2_000

/** What is on the path of most pipelines, and what is not. */
const kindOf = (
  { iid, projectId }: Place,
  random: Random
): Pick<NewPipeline, "createdBy" | "isTag" | "name" | "ref" | "source"> => {
  if (projectId === projects.large && iid <= rare.count) {
    return { createdBy: users.first, isTag: false, ref: rare.ref, source: rare.source, name: rare.name }
  }
  const createdBy = users.first + 1 + random.below(50)
  if (random.isAmong(0.02)) return { createdBy, isTag: true, ref: `v${random.below(tags)}`, source: "push" }
  const ref = random.isAmong(0.6) ? "main" : `branch-${random.below(branches)}`
  const source = random.isAmong(0.9) ? "push" : random.oneOf("web", "api")
  return { createdBy, isTag: false, ref, source, ...defined({ name: random.isAmong(0.05) ? "Nightly build" : undefined }) }
}

/** The first schedule made the pipelines in the middle. */
const isOfSchedule = ({ iid, projectId }: Place): boolean =>
  projectId === projects.large && iid > pipelines.ofLarge / 2 && iid <= pipelines.ofLarge / 2 + runs

const endOf = ({ iid, projectId }: Place, random: Random): Status => {
  if (projectId === projects.large && iid <= rare.count) return rare.status
  return random.isAmong(0.8) ? "success" : random.oneOf("failed", "failed", "failed", "canceled")
}

const jobNames = ["build", "test", "deploy"]

const jobOf = (pipelineId: number, index: number) => ({
  id: (pipelineId - 1) * jobsOfPipeline + index + 1,
  name: jobNames[index] ?? "",
  stage: jobNames[index] ?? "",
  stageIndex: index,
  when: "on_success" as const,
  allowFailure: false,
  retry: { max: 0, when: [], exitCodes: [] },
  interruptible: false,
  tags: [],
  variables: [],
  definition: { script: ["make"] }
})

const pipeline = (id: number, place: Place, shas: ReadonlyArray<string>, random: Random): Story => {
  const isLast = place.iid === pipelines.ofLarge
  const kind = kindOf(place, random)
  const shown = {
    ...kind,
    ...(isOfSchedule(place) && { isTag: false, ref: "main", source: "schedule" as const, scheduleId: 1 }),
    ...(isLast && { isTag: false, ref: "main" })
  }
  // A commit has some pipelines, the later ones later.
  const sha = shas[isLast ? shas.length - 1 : Math.floor((place.iid / (pipelines.ofLarge + 1)) * shas.length)] ?? ""
  const { createdBy: by, isTag, ref } = shown
  const status = endOf(place, random)
  const jobs = Array.from({ length: jobsOfPipeline }, (_, index) => jobOf(id, index))
  const events: ReadonlyArray<PipelineEvent> = [
    PipelineEvent.cases.PipelineCreated.make({ ...place, ...shown, sha }),
    PipelineEvent.cases.JobsAdded.make({ projectId: place.projectId, sha, ref, isTag, by, jobs, replaces: [] }),
    PipelineEvent.cases.PipelineMoved.make({ status: "running", isStart: true }),
    ...jobs.map((job) => PipelineEvent.cases.JobEnded.make({ id: job.id, status })),
    PipelineEvent.cases.PipelineMoved.make({ status, isStart: false })
  ]
  return story(pipelineCodec, pipelineStream(id), events)
}

const storiesAtOnce = 2_000

/** The pipelines with their jobs, of these commits: those of the large project first, piece by piece. */
export function* pipelineStories(shas: ReadonlyArray<string>): Generator<ReadonlyArray<Story>> {
  const random = makeRandom(2)
  let stories: Array<Story> = []
  let id = 0
  for (let projectId = projects.large; projectId <= projects.large + projects.others; projectId++) {
    const count = projectId === projects.large ? pipelines.ofLarge : pipelines.ofOther
    for (let iid = 1; iid <= count; iid++) {
      stories.push(pipeline(++id, { projectId, iid }, shas, random))
      if (stories.length < storiesAtOnce) continue
      yield stories
      stories = []
    }
  }
  yield stories
}
