type Flat<T> = { [K in keyof T]: T[K] }

/** The fields of `T`; those that may be undefined are optional. */
export type Defined<T> = Flat<
  { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
    [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
  }
>

/** The fields that have a value, in their order: `{ a: 1, b: undefined }` as `{ a: 1 }`. */
export function defined<T extends object>(fields: T): Defined<T>
export function defined(fields: Readonly<Record<string, unknown>>): object {
  const kept: Record<string, unknown> = {}
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined) kept[name] = value
  }
  return kept
}

/** The value with another one in place of null; what is not there stays away: for texts and switches that null resets. */
export const nullAs = <T, D>(value: T | null | undefined, instead: D): T | D | undefined => (value === null ? instead : value)
