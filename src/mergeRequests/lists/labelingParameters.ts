import type { Decoded } from "../../http/parameters/parameters.ts"
import { type LabelingFilter, labelsIn, milestoneIn, titlesIn } from "../../issuables/labelingFilter.ts"
import { defined } from "../../kernel/defined.ts"

/** What lists are asked for. */
export const labelingFilters = {
  labels: { kind: "stringList", description: "Only those with all of these labels, by title; `None` or `Any`." },
  milestone: { kind: "string", description: "Only those with the milestone of this title; `None` or `Any`." },
  with_labels_details: { kind: "boolean", default: false, description: "Whether more than the title of each label is told." }
} as const

/** What may be left out. */
export const excludedLabelings = {
  labels: { kind: "stringList", description: "Only those with none of these labels, by title." },
  milestone: { kind: "string", description: "Only those without the milestone of this title." }
} as const

export const labelingFilterOf = ({ labels, milestone }: Decoded<typeof labelingFilters>): LabelingFilter =>
  defined({ labels: labelsIn(labels), milestone: milestoneIn(milestone) })

/** Any of the labels is left out, whatever they are called. */
export const excludedLabelingOf = ({ labels, milestone }: Decoded<typeof excludedLabelings>): LabelingFilter =>
  defined({ labels: titlesIn(labels), milestone: milestoneIn(milestone) })
