/** Turns `mergeMethod` into `merge_method`. */
export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : ""

/** Turns `merge_method` into `mergeMethod`. */
export type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

/** The fields under the names that they have in tables and on the wire. */
export type SnakeCased<T> = { [Name in keyof T as SnakeCase<Name & string>]: T[Name] }
export type CamelCased<T> = { [Name in keyof T as CamelCase<Name & string>]: T[Name] }

/** Turns `mergeMethod` into `merge_method`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const renamed = (fields: object, rename: (name: string) => string): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value]))

/** Turns `{ mergeMethod: "ff" }` into `{ merge_method: "ff" }`. Nested keys stay as they are. */
export function snakeCased<T extends object>(fields: T): SnakeCased<T>
export function snakeCased(fields: object): object {
  return renamed(fields, snakeCase)
}

/** Turns `{ merge_method: "ff" }` into `{ mergeMethod: "ff" }`. Nested keys stay as they are. */
export function camelCased<T extends object>(fields: T): CamelCased<T>
export function camelCased(fields: object): object {
  return renamed(fields, (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
}
