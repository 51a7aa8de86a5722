import fc from "fast-check"
import { expect, expectTypeOf, it } from "vitest"
import { camelCased, snakeCased } from "#src/kernel/letterCase.ts"

interface Settings {
  readonly mergeMethod: "ff" | "merge"
  readonly ciDefaultGitDepth?: number | null
}
interface Row {
  readonly merge_method: "ff" | "merge"
  readonly ci_default_git_depth?: number | null
}

const settings: Settings = { mergeMethod: "ff", ciDefaultGitDepth: null }
const row: Row = { merge_method: "ff", ci_default_git_depth: null }

it("snake case has an underscore before each capital", () => {
  expect(snakeCased(settings)).toEqual(row)
  expectTypeOf(snakeCased(settings)).toEqualTypeOf<{
    readonly merge_method: "ff" | "merge"
    readonly ci_default_git_depth?: number | null
  }>()
})

it("camel case has a capital after each underscore", () => {
  expect(camelCased(row)).toEqual(settings)
  expectTypeOf(camelCased(row)).toEqualTypeOf<{
    readonly mergeMethod: "ff" | "merge"
    readonly ciDefaultGitDepth?: number | null
  }>()
})

it("what lies deeper stays", () => {
  expect(snakeCased({ accessLevels: [{ accessLevel: 30 }], byUser: { userId: 7 } })).toEqual({
    access_levels: [{ accessLevel: 30 }],
    by_user: { userId: 7 }
  })
})

it("one is the way back from the other", () => {
  const name = fc.array(fc.stringMatching(/^[a-z][a-z0-9]{0,4}$/), { minLength: 1, maxLength: 4 }).map((words) => words.join("_"))
  fc.assert(
    fc.property(fc.dictionary(name, fc.nat()), (fields) => {
      expect(snakeCased(camelCased(fields))).toEqual(fields)
    })
  )
})
