import type { ProjectSettings, SettingsChanges } from "./settings.ts"

type Snake<S extends string> = S extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Snake<Rest>}`
    : `_${Lowercase<First>}${Snake<Rest>}`
  : ""

/** Settings under the names that they have in tables and on the wire. */
export type SettingsRow = { readonly [Name in keyof ProjectSettings as Snake<Name>]: ProjectSettings[Name] }
type Setting = SettingsRow[keyof SettingsRow]

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** `{ mergeMethod: "ff" }` as `{ merge_method: "ff" }`. */
export const rowOfSettings = (settings: SettingsChanges): Readonly<Record<string, Setting>> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [snake(name), value]))

/** `{ merge_method: "ff" }` as `{ mergeMethod: "ff" }`. */
export const settingsOfRow = (row: Partial<SettingsRow>): SettingsChanges =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value]))
