import type { Change, Create, Milestone, State } from "#src/milestones/aggregate.ts"
import { MilestoneEvent, type MilestoneSettings } from "#src/milestones/events.ts"

export const settings: MilestoneSettings = {
  title: "1.0",
  description: null,
  startDate: "2026-01-01",
  dueDate: "2026-03-31"
}

const parent = { kind: "project", id: 4 } as const

export const create: Create = { _tag: "Create", parent, iid: 3, settings, titleTaken: false }

export const change: Change = { _tag: "Change", changes: { title: "1.1" }, stateEvent: null, titleTaken: false }

export const created = MilestoneEvent.cases.MilestoneCreated.make({ parent, iid: 3, settings })

export const milestone: Milestone = { parent, settings, isActive: true }

export const states: { readonly [Tag in State["_tag"]]: State } = {
  Absent: { _tag: "Absent" },
  Present: { _tag: "Present", milestone },
  Deleted: { _tag: "Deleted" }
}
