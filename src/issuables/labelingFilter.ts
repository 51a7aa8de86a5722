/** Labels that are all there by their titles, any labels, or none. */
export type LabelsFilter = "any" | "none" | ReadonlyArray<string>

/** The milestone with a title, any, none, the next ones that are due, or those that have begun. */
export type MilestoneFilter = "any" | "none" | "upcoming" | "started" | { readonly title: string }

/** Conditions on labels and milestone; absent ones hold for all. */
export interface LabelingFilter {
  readonly labels?: LabelsFilter
  readonly milestone?: MilestoneFilter
}

const wordOf = (title: string): "any" | "none" | undefined => {
  const word = title.toLowerCase()
  return word === "any" || word === "none" ? word : undefined
}

/** The titles that are not blank; undefined where there are none. */
export const titlesIn = (labels: ReadonlyArray<string> | null | undefined): ReadonlyArray<string> | undefined => {
  const titles = (labels ?? []).filter((title) => title !== "")
  return titles.length === 0 ? undefined : titles
}

/** What a list of labels asks for. `None` beats `Any`, which beats titles. */
export const labelsIn = (labels: ReadonlyArray<string> | null | undefined): LabelsFilter | undefined => {
  const titles = titlesIn(labels)
  const words = new Set(titles?.map(wordOf))
  if (words.has("none")) return "none"
  return words.has("any") ? "any" : titles
}

const milestoneWords: Readonly<Record<string, MilestoneFilter>> = {
  any: "any",
  "any milestone": "any",
  none: "none",
  "no milestone": "none",
  "#upcoming": "upcoming",
  "#started": "started"
}

/** What the title of a milestone asks for; blank for any milestone or none. */
export const milestoneIn = (title: string | null | undefined): MilestoneFilter | undefined =>
  title ? (milestoneWords[title.toLowerCase()] ?? { title }) : undefined
