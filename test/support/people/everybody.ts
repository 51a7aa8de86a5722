/** Everybody whom a table of rights must have a column for, from nobody to everything. */
export const everybody = [
  "anonymous",
  "external",
  "outsider",
  "minimal",
  "guest",
  "reporter",
  "developer",
  "maintainer",
  "owner",
  "administrator"
] as const
export type Somebody = (typeof everybody)[number]

/** The access levels of those who are members. */
export const levels: Partial<Record<Somebody, number>> = {
  minimal: 5,
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50
}
