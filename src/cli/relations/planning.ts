import { Effect, Stream } from "effect"
import { LabelEvent, labelCodec } from "../../labels/events.ts"
import { labelStream } from "../../labels/ids.ts"
import { LabelQueries } from "../../labels/Labels.ts"
import { reserveTitle as reserveLabelTitle } from "../../labels/titles.ts"
import { MilestoneEvent, milestoneCodec } from "../../milestones/events.ts"
import { milestoneStream } from "../../milestones/ids.ts"
import { MilestoneQueries } from "../../milestones/Milestones.ts"
import { reserveTitle as reserveMilestoneTitle } from "../../milestones/titles.ts"
import type { Parent } from "../../parents/Parent.ts"
import { nextId } from "../../platform/Ids.ts"
import { type Past, recordPast } from "../../platform/recordPast.ts"
import { CommandFailed } from "../exit.ts"
import type { ExportFolder } from "./files.ts"
import { type Import, untilChanged } from "./Import.ts"
import { Label, Milestone } from "./shapes/issuables.ts"
import { millis } from "./shapes/values.ts"

const parentOf = ({ projectId }: Import): Parent => ({ kind: "project", id: projectId })

const createLabel = Effect.fnUntraced(function* (
  to: Import,
  { color, created_at, description, priorities, title, updated_at }: Label
) {
  const id = yield* nextId("label")
  const parent = parentOf(to)
  const fences = yield* reserveLabelTitle({ parent, title }, id).pipe(
    Effect.mapError(() => new CommandFailed({ message: `Two labels are called ${title}` }))
  )
  const settings = { title, description, color, priority: priorities[0]?.priority ?? null }
  const { LabelChanged, LabelCreated } = LabelEvent.cases
  const created: Past<LabelEvent> = {
    event: LabelCreated.make({ parent, settings }),
    at: millis(created_at),
    by: to.people.of(null)
  }
  const happened = untilChanged([created], LabelChanged.make({ changes: {} }), millis(updated_at))
  yield* recordPast(labelCodec, labelStream(id), happened, { fences })
  return id
})

/** The label of a group above the project with this title, which nothing in the project may have beside it; undefined for none. */
const labelAbove = Effect.fnUntraced(function* (to: Import, { title }: Label) {
  const found = yield* LabelQueries.use((labels) => labels.named({ parent: parentOf(to), withAncestors: true }, [title]))
  return found.find(({ group_id }) => group_id !== null)?.id
})

/** The label of a record, made where none of its title came yet or is in a group above: it becomes one of the project, whatever it was one of. */
const ensureLabel = Effect.fnUntraced(function* (to: Import, record: Label) {
  if (to.labels.has(record.title)) return
  to.labels.set(record.title, (yield* labelAbove(to, record)) ?? (yield* createLabel(to, record)))
})

/** Makes what of these labels did not come yet. */
const ensureLabels = (to: Import, records: Iterable<Label | null>) =>
  Effect.forEach(records, (record) => (record === null ? Effect.void : ensureLabel(to, record)), { discard: true })

/** The id of a label that came. */
export const labelIdOf = ({ labels }: Import, { title }: Label): number => labels.get(title) ?? 0

/** Any of these is enough to know a milestone again: one of a group has a number that means nothing here. */
const keysOfMilestone = ({ group_id, iid, title }: Milestone): ReadonlyArray<string> =>
  group_id === null ? [`title ${title}`, `iid ${iid}`] : [`title ${title}`]

const knownMilestone = ({ milestones }: Import, record: Milestone): number | undefined =>
  keysOfMilestone(record)
    .map((key) => milestones.get(key))
    .find((id) => id !== undefined)

/** As `labelAbove`. */
const milestoneAbove = Effect.fnUntraced(function* (to: Import, { title }: Milestone) {
  const place = { parent: parentOf(to), withAncestors: true }
  const { rows } = yield* MilestoneQueries.use((milestones) => milestones.list({ ...place, title }, { offset: 0, limit: 100 }))
  return rows.find(({ group_id }) => group_id !== null)?.id
})

const { cases } = MilestoneEvent

const createMilestone = Effect.fnUntraced(function* (to: Import, record: Milestone) {
  const id = yield* nextId("milestone")
  const parent = parentOf(to)
  const { created_at, description, due_date: dueDate, iid, start_date: startDate, state, title, updated_at } = record
  const fences = yield* reserveMilestoneTitle({ parent, title }, id).pipe(
    Effect.mapError(() => new CommandFailed({ message: `Two milestones are called ${title}` }))
  )
  const by = to.people.of(null)
  const settings = { title, description, startDate, dueDate }
  const created: Past<MilestoneEvent> = {
    event: cases.MilestoneCreated.make({ parent, iid, settings }),
    at: millis(created_at),
    by
  }
  const closed = state === "closed" ? [{ event: cases.MilestoneClosed.make({}), at: millis(updated_at), by }] : []
  const happened = untilChanged([created, ...closed], cases.MilestoneChanged.make({ changes: {} }), millis(updated_at))
  yield* recordPast(milestoneCodec, milestoneStream(id), happened, { fences })
  return id
})

/** As `ensureLabel`. One of a group gets a number behind those of all that came. */
const ensureMilestone = Effect.fnUntraced(function* (to: Import, record: Milestone) {
  if (knownMilestone(to, record) !== undefined) return
  const above = yield* milestoneAbove(to, record)
  if (above === undefined && record.group_id !== null) to.highest.project_milestone += 1
  const iid = record.group_id === null ? record.iid : to.highest.project_milestone
  const made = { ...record, group_id: null, iid }
  const id = above ?? (yield* createMilestone(to, made))
  for (const key of keysOfMilestone(above === undefined ? made : record)) to.milestones.set(key, id)
})

/** Makes what of these milestones did not come yet. */
export const ensureMilestones = (to: Import, records: Iterable<Milestone | null>) =>
  Effect.forEach(records, (record) => (record === null ? Effect.void : ensureMilestone(to, record)), { discard: true })

/** Sees to it that the labels and milestones of these things are there. */
export const ensurePlanned = Effect.fnUntraced(function* (
  to: Import,
  labeled: ReadonlyArray<{ readonly label: Label | null }>,
  planned: ReadonlyArray<{ readonly milestone: Milestone | null }>
) {
  yield* ensureLabels(
    to,
    labeled.map(({ label }) => label)
  )
  yield* ensureMilestones(
    to,
    planned.map(({ milestone }) => milestone)
  )
})

/** The id of a milestone that came; null for none. */
export const milestoneIdOf = (to: Import, record: Milestone | null): number | null =>
  record === null ? null : (knownMilestone(to, record) ?? null)

/** Brings the labels and milestones of the project. */
export const importPlanning = Effect.fn("cli.importPlanning")(function* (to: Import, from: ExportFolder) {
  yield* Stream.runForEach(from.records("labels", Label), (record) =>
    Effect.andThen(ensureLabels(to, [record]), Effect.sync(to.onRecord))
  )
  yield* Stream.runForEach(from.records("milestones", Milestone), (record) =>
    Effect.andThen(ensureMilestones(to, [record]), Effect.sync(to.onRecord))
  )
})
