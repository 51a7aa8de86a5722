import { isLongerThan } from "../kernel/characters.ts"
import { matchesPattern } from "../kernel/wildcards.ts"
import { protectedBranchLevels, protectedTagLevels } from "../members/levels.ts"
import type { Grant, Protection } from "./events.ts"

const levels: Readonly<Record<Protection["kind"], ReadonlyArray<number>>> = {
  branch: protectedBranchLevels,
  tag: protectedTagLevels
}
const maxNameLength = 255

const grantFaults = (kind: Protection["kind"], grants: ReadonlyArray<Grant>, label: string): ReadonlyArray<string> =>
  grants.every(({ accessLevel }) => levels[kind].includes(accessLevel)) ? [] : [`${label} is not included in the list`]

/** Everything that is wrong with a protection, as sentences. */
export const protectionFaults = ({ kind, merge, name, push }: Protection): ReadonlyArray<string> => [
  ...(name.trim() === "" ? ["Name can't be blank"] : []),
  ...(isLongerThan(name, maxNameLength) ? [`Name is too long (maximum is ${maxNameLength} characters)`] : []),
  ...grantFaults(kind, push, kind === "branch" ? "Push access levels access level" : "Create access levels access level"),
  ...grantFaults(kind, merge, "Merge access levels access level")
]

/** The protections that match a branch or tag, by its name or a pattern. */
export const protecting = <P extends { readonly name: string }>(protections: ReadonlyArray<P>, name: string): ReadonlyArray<P> =>
  protections.filter((protection) => matchesPattern(protection.name, name))
