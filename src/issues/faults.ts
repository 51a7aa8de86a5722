import { descriptionFaults, type TextFault, titleFaults } from "../issuables/textFaults.ts"
import type { Fault } from "../kernel/faults.ts"
import type { Attributes } from "./events.ts"

export type AttributeFault = TextFault | Fault<"labels">

/** No issue has more labels, and no request names more. */
export const maxLabels = 500

/** Gap: the reference has no limit of labels. */
export const tooManyLabels: AttributeFault = { attribute: "labels", text: `are too many (maximum is ${maxLabels})` }

/** Everything that is wrong with attributes. */
export const attributeFaults = ({
  description,
  labelIds,
  title
}: Pick<Attributes, "description" | "labelIds" | "title">): ReadonlyArray<AttributeFault> => [
  ...titleFaults(title),
  ...descriptionFaults(description),
  ...(labelIds.length > maxLabels ? [tooManyLabels] : [])
]
