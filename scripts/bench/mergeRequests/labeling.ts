import { AwardEvent, awardCodec } from "#src/awardEmoji/events.ts"
import { awardsStream } from "#src/awardEmoji/ids.ts"
import { LabelEvent, labelCodec } from "#src/labels/events.ts"
import { labelStream } from "#src/labels/ids.ts"
import { MergeRequestEvent } from "#src/mergeRequests/events.ts"
import { MilestoneEvent, milestoneCodec } from "#src/milestones/events.ts"
import { milestoneStream } from "#src/milestones/ids.ts"
import { numbers, type Story, story } from "../installation/Story.ts"
import type { Random } from "../random.ts"

/** The labels and milestones of each project; those of a project have numbers in a row. */
const priorities = [1, 2, 3, null, null]
const dueDates = ["2026-03-31", "2026-06-30", "2026-09-30", null]

const idOf = (projectId: number, index: number, of: ReadonlyArray<unknown>): number => (projectId - 1) * of.length + index + 1

export const labelingOf = (projectId: number): ReadonlyArray<Story> => {
  const parent = { kind: "project" as const, id: projectId }
  return [
    ...priorities.map((priority, index) => {
      const settings = { title: `label ${index}`, description: null, color: "#123456", priority }
      const created = LabelEvent.cases.LabelCreated.make({ parent, settings })
      return story(labelCodec, labelStream(idOf(projectId, index, priorities)), [created])
    }),
    ...dueDates.map((dueDate, index) => {
      const settings = { title: `milestone ${index}`, description: null, startDate: null, dueDate }
      const created = MilestoneEvent.cases.MilestoneCreated.make({ parent, iid: index + 1, settings })
      return story(milestoneCodec, milestoneStream(idOf(projectId, index, dueDates)), [created])
    })
  ]
}

/** Four in ten have a label, three in ten a milestone. */
export const labeled = (id: number, projectId: number, random: Random): ReadonlyArray<MergeRequestEvent> => {
  const { MergeRequestLabelsChanged, MergeRequestMilestoneChanged } = MergeRequestEvent.cases
  const addedIds = [idOf(projectId, random.below(priorities.length), priorities)]
  const to = idOf(projectId, random.below(dueDates.length), dueDates)
  return [
    ...(random.isAmong(0.4) ? [MergeRequestLabelsChanged.make({ id: id * 1_024, by: 1, addedIds, removedIds: [] })] : []),
    ...(random.isAmong(0.3) ? [MergeRequestMilestoneChanged.make({ id, by: 1, from: null, to, state: "opened" })] : [])
  ]
}

/** One in ten is liked by up to five users. */
export const liked = (id: number, random: Random): ReadonlyArray<Story> => {
  if (!random.isAmong(0.1)) return []
  const awards = numbers(1, 1 + random.below(5)).map((total) =>
    AwardEvent.cases.EmojiAwarded.make({ id: id * 10 + total, by: total, name: "thumbsup", total })
  )
  return [story(awardCodec, awardsStream({ type: "MergeRequest", id }), awards)]
}
