import { isLongerThan } from "../kernel/characters.ts"
import type { Fault } from "../kernel/faults.ts"

/** What is wrong with the texts of an issue or merge request. */
export type TextFault = Fault<"title" | "description">

const maxTitle = 255
/** Characters, as the interface counts. */
const maxDescription = 1_048_576

export const titleFaults = (title: string): ReadonlyArray<TextFault> => {
  if (title.trim() === "") return [{ attribute: "title", text: "can't be blank" }]
  if (!isLongerThan(title, maxTitle)) return []
  return [{ attribute: "title", text: `is too long (maximum is ${maxTitle} characters)` }]
}

/** Gap: the exact words are not shown. */
export const descriptionFaults = (description: string | null): ReadonlyArray<TextFault> =>
  description !== null && isLongerThan(description, maxDescription)
    ? [{ attribute: "description", text: `is too long (maximum is ${maxDescription} characters)` }]
    : []
