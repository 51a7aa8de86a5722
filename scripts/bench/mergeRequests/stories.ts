import { MergeRequestEvent, mergeRequestCodec } from "#src/mergeRequests/events.ts"
import { mergeRequestStream } from "#src/mergeRequests/ids.ts"
import { publicProject } from "../installation/publicProject.ts"
import { numbers, type Story, story } from "../installation/Story.ts"
import { userStories, users } from "../installation/users.ts"
import { makeRandom, type Random } from "../random.ts"
import { count, historyLength, keyAt, projects, words } from "./facts.ts"
import { labeled, labelingOf, liked } from "./labeling.ts"

const { MergeRequestChanged, MergeRequestClosed, MergeRequestMerged, MergeRequestOpened, MergeRequestPrepared } =
  MergeRequestEvent.cases
const { MergePlanned, MergeabilityChecked, VersionAdded } = MergeRequestEvent.cases

const shaOf = (place: number, more: number): string => (place * 16 + more).toString(16).padStart(40, "0")

const titleOf = (place: number, random: Random): string => {
  const verb = random.oneOf("Fix", "Add", "Drop", "Speed up", "Retry", "Rename", "Split", "Test", "Document")
  const thing = place % 20 === 7 ? words.common : random.oneOf("parser", "upload", "login", "index", "queue", "socket", "ledger")
  const draft = place % 25 === 3 ? "Draft: " : ""
  return `${draft}${verb} the ${random.oneOf("slow", "new", "old", "shared", "lazy", "nested")} ${thing} of part ${random.below(1_000)}`
}

const descriptionOf = (place: number, random: Random): string | null => {
  if (place % 5 === 0) return null
  const word = place % 1_000 === 1 ? words.rare : random.oneOf("agate", "beryl", "garnet", "jasper", "onyx", "opal")
  return `The ${word} case was left over when ${random.oneOf("callers", "readers", "writers")} moved on.\n\n- [x] code\n- [ ] part ${random.below(90)}\n\nCloses #${random.below(2_000)}`
}

const opened = (place: number, random: Random) => {
  const { projectId } = keyAt(place)
  return MergeRequestOpened.make({
    id: place + 1,
    authorId: random.isAmong(0.05) ? 1 : users.first + random.below(users.count),
    source: { projectId, branch: `topic-${place}` },
    sourceSha: shaOf(place, 1),
    title: titleOf(place, random),
    description: descriptionOf(place, random),
    targetBranch: place % 10 === 4 ? "stable" : "main",
    assigneeIds: random.isAmong(0.6) ? [users.first + random.below(users.count)] : [],
    reviewerIds: random.isAmong(0.4) ? [users.first + random.below(users.count)] : [],
    squash: random.isAmong(0.2),
    removesSourceBranch: random.isAmong(0.3),
    allowsCollaboration: false,
    isDiscussionLocked: null
  })
}

const preparation = (place: number, targetBranch: string): ReadonlyArray<MergeRequestEvent> => {
  const [headSha, startSha] = [shaOf(place, 1), shaOf(0, 2)]
  const heads = { targetBranch, headSha, baseSha: startSha, startSha }
  return [
    VersionAdded.make({ id: place + 1, ...heads, files: 1 + (place % 9), isCut: false, commits: 1, patchId: shaOf(place, 3) }),
    MergeabilityChecked.make({ headSha, targetSha: startSha, verdict: "mergeable", isFastForward: true }),
    MergeRequestPrepared.make({})
  ]
}

/** Three in ten stay open, five are merged, two closed. */
const fate = (place: number, targetBranch: string): ReadonlyArray<MergeRequestEvent> => {
  const kind = Math.floor(place / projects) % 10
  if (kind < 3) return []
  if (kind > 7) return [MergeRequestClosed.make({ by: 1 })]
  const [headSha, mergeSha] = [shaOf(place, 1), shaOf(place, 4)]
  const by = users.first + (place % 50)
  const move = { targetFrom: shaOf(0, 2), targetTo: mergeSha, mergeSha, squashSha: null }
  return [
    MergePlanned.make({ by, headSha, targetBranch, ...move, squash: false, removesSourceBranch: null }),
    MergeRequestMerged.make({ by, mergeSha, squashSha: null, removesSourceBranch: false })
  ]
}

const mergeRequest = (place: number, random: Random): ReadonlyArray<Story> => {
  const [first, key] = [opened(place, random), keyAt(place)]
  const labeling = labeled(first.id, key.projectId, random)
  const events = [first, ...preparation(place, first.targetBranch), ...labeling, ...fate(place, first.targetBranch)]
  return [story(mergeRequestCodec, mergeRequestStream(key), events), ...liked(first.id, random)]
}

const partLength = 10_000

/** All merge requests, some thousands at a time: one after the other, so that they are in the order of their ids. */
function* mergeRequestStories(): Generator<ReadonlyArray<Story>> {
  const random = makeRandom(5)
  for (let from = 0; from < count; from += partLength)
    yield numbers(from, Math.min(partLength, count - from)).flatMap((place) => mergeRequest(place, random))
}

/** The path of the merge request with the long history. */
export const oldKey = { projectId: 1, iid: count + 1 }

/** One that is open and was changed many times. */
const longStory = (): Story => {
  const first = { ...opened(0, makeRandom(6)), id: count + 1, source: { projectId: 1, branch: "old" } }
  const changes = numbers(0, historyLength).map((index) => MergeRequestChanged.make({ changes: { title: `Change ${index}` } }))
  return story(mergeRequestCodec, mergeRequestStream(oldKey), [first, ...changes, ...preparation(count, "main").slice(1)])
}

/** Users, and projects with their merge requests. */
export function* installationStories(): Generator<ReadonlyArray<Story>> {
  yield userStories(makeRandom(1))
  yield numbers(1, projects).flatMap((id) => [publicProject(id), ...labelingOf(id)])
  yield* mergeRequestStories()
  yield [longStory()]
}
