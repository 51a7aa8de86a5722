import type { Change, Create, Label, State } from "#src/labels/aggregate.ts"
import { LabelEvent, type LabelSettings } from "#src/labels/events.ts"

export const settings: LabelSettings = { title: "bug", description: null, color: "#D9534F", priority: null }

export const create: Create = { _tag: "Create", parent: { kind: "project", id: 4 }, settings, titleTaken: false }

export const change: Change = { _tag: "Change", changes: { title: "defect" }, titleTaken: false }

export const created = LabelEvent.cases.LabelCreated.make({ parent: { kind: "project", id: 4 }, settings })

export const label: Label = { parent: { kind: "project", id: 4 }, settings }

export const states: { readonly [Tag in State["_tag"]]: State } = {
  Absent: { _tag: "Absent" },
  Present: { _tag: "Present", label },
  Deleted: { _tag: "Deleted" }
}
