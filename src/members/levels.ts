/** Levels of access to a group or project, each with everything that those below it may do. */
export const accessLevel = {
  none: 0,
  minimal: 5,
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
  /** The level occurs only in protections of branches: nobody is a member of this level. */
  administrator: 60
} as const

const { administrator, developer, guest, maintainer, minimal, none, owner, reporter } = accessLevel

const names: Readonly<Record<number, string>> = {
  [none]: "No access",
  [minimal]: "Minimal Access",
  [guest]: "Guest",
  [reporter]: "Reporter",
  [developer]: "Developer",
  [maintainer]: "Maintainer",
  [owner]: "Owner"
}

/** The name of a level, such as `Developer` for 30; empty for a number that is no level of members. */
export const levelName = (level: number): string => names[level] ?? ""

/** What members of a project may have. */
export const projectLevels: ReadonlyArray<number> = [guest, reporter, developer, maintainer, owner]

/** What members of a group may have. */
export const groupLevels: ReadonlyArray<number> = [minimal, ...projectLevels]

/** What the protection of a tag may demand of who creates it. */
export const protectedTagLevels: ReadonlyArray<number> = [none, developer, maintainer]

/** What the protection of a branch may demand of who pushes or merges. */
export const protectedBranchLevels: ReadonlyArray<number> = [...protectedTagLevels, administrator]
