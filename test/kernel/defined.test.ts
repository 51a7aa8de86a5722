import fc from "fast-check"
import { expect, expectTypeOf, it } from "vitest"
import { defined, nullAs } from "#src/kernel/defined.ts"

interface Fields {
  readonly id: number
  readonly name: string | undefined
  readonly note: string | null | undefined
  readonly place?: string
}

it("leaves out what is undefined, and nothing else", () => {
  const fields: Fields = { id: 0, name: undefined, note: null }
  expect(Object.entries(defined(fields))).toEqual([
    ["id", 0],
    ["note", null]
  ])
  expectTypeOf(defined(fields)).toEqualTypeOf<{
    readonly id: number
    readonly name?: string
    readonly note?: string | null
    readonly place?: string
  }>()
})

it("gives the other fields as they are, in their order", () => {
  const key = fc.stringMatching(/^[a-z]{1,3}$/)
  fc.assert(
    fc.property(fc.dictionary(key, fc.option(fc.anything(), { nil: undefined })), (fields) => {
      expect(Object.entries(defined(fields))).toEqual(Object.entries(fields).filter(([, value]) => value !== undefined))
    })
  )
})

it.each<[string | null | undefined, string | undefined]>([
  ["a", "a"],
  ["", ""],
  [null, "-"],
  [undefined, undefined]
])("%j with another value in place of null", (value, expected) => {
  expect(nullAs(value, "-")).toBe(expected)
})
