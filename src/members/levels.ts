/** Levels of access to a group or project, each with everything that those below it may do. */
export const accessLevel = {
  none: 0,
  minimal: 5,
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50
} as const

const names: Readonly<Record<number, string>> = {
  0: "No access",
  5: "Minimal Access",
  10: "Guest",
  20: "Reporter",
  30: "Developer",
  40: "Maintainer",
  50: "Owner"
}

/** `Developer` for 30; empty for what is no level. */
export const levelName = (level: number): string => names[level] ?? ""

/** What members of a project may have. */
export const projectLevels: ReadonlyArray<number> = [10, 20, 30, 40, 50]

/** What members of a group may have. */
export const groupLevels: ReadonlyArray<number> = [5, ...projectLevels]
