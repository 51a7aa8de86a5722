import { expect } from "vitest"

const isMatcher = (value: object): boolean => "asymmetricMatch" in value

/** The names in all objects of a value, in their order. */
const keyOrder = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || isMatcher(value)) return null
  return Array.isArray(value) ? value.map(keyOrder) : Object.entries(value).map(([name, inner]) => [name, keyOrder(inner)])
}

/** Expects equal values whose objects have their keys in the same order too. Matchers may stand for texts and numbers. */
export const expectExactly = (actual: unknown, expected: unknown): void => {
  expect(actual).toEqual(expected)
  expect(keyOrder(actual)).toEqual(keyOrder(expected))
}

/** A time as answers show it. */
export const anyTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
/** An id. */
export const anyId: unknown = expect.any(Number)

/** A field of a JSON object; undefined when there is none. */
export const field = (body: unknown, name: string): unknown =>
  typeof body === "object" && body !== null && name in body ? Reflect.get(body, name) : undefined

/** Some fields of a JSON object. */
export const picked = (body: unknown, ...names: ReadonlyArray<string>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.map((name) => [name, field(body, name)]))
