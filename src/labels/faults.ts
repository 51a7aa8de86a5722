import { isLongerThan } from "../kernel/characters.ts"
import { type Fault, faultsOf } from "../kernel/faults.ts"
import { isColor } from "./color.ts"
import type { SettingsChanges } from "./events.ts"

/** What an error of a label is about. */
export type Attribute = "title" | "description" | "color" | "priority"
export type LabelFault = Fault<Attribute>

const maxTitleLength = 255
/** Lists may tell all labels of all that they have, so it is short. */
const maxDescriptionLength = 4_096

const titleFaults = (title: string): ReadonlyArray<string> => [
  ...(title.trim() === "" ? ["can't be blank"] : []),
  // A comma separates the labels of a list.
  ...(title === "" || title.includes(",") ? ["is invalid"] : []),
  ...(isLongerThan(title, maxTitleLength) ? [`is too long (maximum is ${maxTitleLength} characters)`] : [])
]

/** Whether a label may have this title. */
export const isTitle = (title: string): boolean => titleFaults(title).length === 0

// Gap: the text for a negative priority is not shown; this is the reference's for numbers.
const priorityFaults = (priority: number): ReadonlyArray<string> => (priority < 0 ? ["must be greater than or equal to 0"] : [])

const descriptionFaults = (description: string): ReadonlyArray<string> =>
  isLongerThan(description, maxDescriptionLength) ? [`is too long (maximum is ${maxDescriptionLength} characters)`] : []

export const titleIsTaken: LabelFault = { attribute: "title", text: "has already been taken" }

/** Everything that is wrong with the settings that are there. */
export const settingsFaults = ({ color, description, priority, title }: SettingsChanges): ReadonlyArray<LabelFault> => [
  ...faultsOf("title", title === undefined ? [] : titleFaults(title)),
  ...faultsOf("description", description === undefined || description === null ? [] : descriptionFaults(description)),
  ...faultsOf("color", color === undefined || isColor(color) ? [] : ["must be a valid color code"]),
  ...faultsOf("priority", priority === undefined || priority === null ? [] : priorityFaults(priority))
]
