/** Parameters as they were sent: texts, null for a name without a value, whatever JSON held, objects and arrays of these. */
export type RawParameters = Readonly<Record<string, unknown>>

/** An object without a prototype, so that a parameter may be called `__proto__` or `constructor` without effect. */
export const emptyFields = (): Record<string, unknown> => Object.create(null)

/** Whether a value is an object with names, neither an array nor null. */
export const isFields = (value: unknown): value is RawParameters =>
  typeof value === "object" && value !== null && !Array.isArray(value)
