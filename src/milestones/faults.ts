import { isLongerThan } from "../kernel/characters.ts"
import { type Fault, faultsOf } from "../kernel/faults.ts"
import type { MilestoneSettings } from "./events.ts"

/** What an error of a milestone is about. */
export type Attribute = "title" | "description" | "startDate" | "dueDate"
export type MilestoneFault = Fault<Attribute>

const maxTitleLength = 255
/** Every list of what belongs to a milestone has it, so it is short. */
const maxDescriptionLength = 65_536
/** The last day that has four digits for its year. */
const lastDay = "9999-12-31"

const titleFaults = (title: string): ReadonlyArray<string> => [
  ...(title.trim() === "" ? ["can't be blank"] : []),
  // Gap: a limit for titles is not shown; this is the reference's for labels.
  ...(isLongerThan(title, maxTitleLength) ? [`is too long (maximum is ${maxTitleLength} characters)`] : [])
]

const dayFaults = (day: string | null): ReadonlyArray<string> =>
  day !== null && day > lastDay ? [`date must not be after ${lastDay}`] : []

const orderFaults = ({ dueDate, startDate }: MilestoneSettings): ReadonlyArray<string> =>
  startDate !== null && dueDate !== null && dueDate <= startDate ? ["must be greater than start date"] : []

const descriptionFaults = (description: string | null): ReadonlyArray<string> =>
  description !== null && isLongerThan(description, maxDescriptionLength)
    ? [`is too long (maximum is ${maxDescriptionLength} characters)`]
    : []

export const titleIsTaken: MilestoneFault = { attribute: "title", text: "has already been taken" }

/** Everything that is wrong with the settings. */
export const settingsFaults = (settings: MilestoneSettings): ReadonlyArray<MilestoneFault> => [
  ...faultsOf("title", titleFaults(settings.title)),
  ...faultsOf("description", descriptionFaults(settings.description)),
  ...faultsOf("startDate", dayFaults(settings.startDate)),
  ...faultsOf("dueDate", [...dayFaults(settings.dueDate), ...orderFaults(settings)])
]
