import { MergeRequestEvent, mergeRequestCodec } from "#src/mergeRequests/events.ts"
import { mergeRequestStream } from "#src/mergeRequests/ids.ts"
import { DiscussionEvent, discussionCodec } from "#src/notes/events.ts"
import { discussionStream } from "#src/notes/ids.ts"
import { publicProject } from "../installation/publicProject.ts"
import { numbers, type Story, story } from "../installation/Story.ts"

/** How many merge requests the project has, and how many notes each of them. `BENCH_EXPORTED` says another number of merge requests. */
export const count = Number(process.env.BENCH_EXPORTED ?? 100_000)
export const notesOfEach = 5

export const projectId = 1

const shaOf = (place: number): string => place.toString(16).padStart(40, "0")

const { DiscussionStarted, NoteAdded } = DiscussionEvent.cases
const { MergeRequestMerged, MergeRequestOpened, MergeRequestPrepared, VersionAdded } = MergeRequestEvent.cases

const mergeRequest = (place: number): Story => {
  const [headSha, baseSha] = [shaOf(place), shaOf(0)]
  const opened = MergeRequestOpened.make({
    id: place,
    authorId: 1,
    source: { projectId, branch: `topic-${place}` },
    sourceSha: headSha,
    title: `Speed up the queue of part ${place}`,
    description: `What was left over when writers moved on.\n\n- [x] code\n- [ ] part ${place}\n\nCloses #${place}`,
    targetBranch: "main",
    assigneeIds: [],
    reviewerIds: [],
    squash: false,
    removesSourceBranch: true,
    allowsCollaboration: false,
    isDiscussionLocked: null
  })
  const version = { targetBranch: "main", headSha, baseSha, startSha: baseSha, files: 3, isCut: false, commits: 1, patchId: null }
  const merged = MergeRequestMerged.make({ by: 1, mergeSha: shaOf(2 * count + place), squashSha: null })
  const events = [opened, VersionAdded.make({ id: place, ...version }), MergeRequestPrepared.make({})]
  return story(mergeRequestCodec, mergeRequestStream({ projectId, iid: place }), place % 2 === 0 ? [...events, merged] : events)
}

const note = (place: number, index: number) => ({
  authorId: 1,
  body: `This is the ${index}. note of ${place}: it says what a note says, in a sentence or two, and names \`code\` here and there.`,
  isInternal: false,
  position: null
})

/** A thread. What the service writes has even ids. */
const discussion = (place: number): Story => {
  const [first = 1, ...others] = numbers(0, notesOfEach).map((index) => 2 * (place * notesOfEach + index) + 1)
  const key = { type: "mergeRequest", projectId, iid: place, rootId: first } as const
  return story(discussionCodec, discussionStream(key), [
    DiscussionStarted.make({ noteId: first, isThread: true, ...note(place, 1) }),
    ...others.map((id, index) => NoteAdded.make({ id, isResolved: false, ...note(place, index + 2) }))
  ])
}

const partLength = 10_000

/** A project with its merge requests and their notes. */
export function* exportedStories(): Generator<ReadonlyArray<Story>> {
  yield [publicProject(projectId)]
  for (let from = 1; from <= count; from += partLength)
    yield numbers(from, Math.min(partLength, count + 1 - from)).flatMap((place) => [mergeRequest(place), discussion(place)])
}
