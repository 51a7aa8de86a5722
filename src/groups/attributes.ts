import { accessLevel } from "../members/levels.ts"
import type { AttributeChanges, BranchProtectionDefaults, GroupAttributes } from "./events.ts"

const defaults = (
  push: number,
  merge: number,
  { force = false, initialPush = false }: { readonly force?: boolean; readonly initialPush?: boolean } = {}
): BranchProtectionDefaults => ({
  allowedToPush: [push],
  allowForcePush: force,
  allowedToMerge: [merge],
  developerCanInitialPush: initialPush
})

const { developer, maintainer } = accessLevel

/** What the numbers of `default_branch_protection` stand for: none, partial, full, against pushes, full after the first push. */
const protections: ReadonlyArray<BranchProtectionDefaults> = [
  defaults(developer, developer, { force: true }),
  defaults(developer, maintainer),
  defaults(maintainer, maintainer),
  defaults(maintainer, developer),
  defaults(maintainer, maintainer, { initialPush: true })
]

/** The numbers of `default_branch_protection`. */
export const protectionLevels: ReadonlyArray<number> = protections.map((_, level) => level)

/** What a number of `default_branch_protection` stands for. */
export const protectionOf = (level: number): BranchProtectionDefaults => protections[level] ?? defaults(maintainer, maintainer)

/** The attributes of a new group with this name. */
export const defaultAttributes = (name: string): GroupAttributes => ({
  name,
  description: "",
  visibility: "private",
  shareWithGroupLock: false,
  requireTwoFactorAuthentication: false,
  twoFactorGracePeriod: 48,
  projectCreationLevel: "developer",
  autoDevopsEnabled: null,
  subgroupCreationLevel: "maintainer",
  emailsEnabled: true,
  mentionsDisabled: null,
  lfsEnabled: true,
  mathRenderingLimitsEnabled: true,
  lockMathRenderingLimitsEnabled: false,
  defaultBranch: null,
  defaultBranchProtection: null,
  defaultBranchProtectionDefaults: null,
  requestAccessEnabled: true,
  sharedRunnersSetting: "enabled",
  preventSharingGroupsOutsideHierarchy: false
})

/** The changes with the details that follow from the number of a protection, unless they are sent too. */
export const withDetails = (changes: AttributeChanges): AttributeChanges => {
  const { defaultBranchProtection: level } = changes
  return level === undefined || level === null ? changes : { defaultBranchProtectionDefaults: protectionOf(level), ...changes }
}
