import { type Parent, parentKey } from "../parents/Parent.ts"
import { aggregateNames } from "../platform/aggregateNames.ts"
import { labelAggregate } from "./aggregate.ts"
import { labelIdOf } from "./ids.ts"

/** A title in a project or group, where only one label has it. */
export interface Title {
  readonly parent: Parent
  readonly title: string
}

/** Titles are reserved for labels. The parent of a label never changes. */
export const {
  release: releaseTitle,
  requireOwned: requireOwnTitle,
  reserve: reserveTitle
} = aggregateNames({
  aggregate: labelAggregate,
  idOf: labelIdOf,
  nameOf: ({ parent, title }: Title) => ({ kind: "label-title", text: `${parentKey(parent)}/${title}` }),
  holds: (state, { title }) => state._tag === "Present" && state.label.settings.title === title
})
