import { expect, it } from "vitest"
import { effectiveChanges } from "#src/kernel/effectiveChanges.ts"

const before: { readonly name: string; readonly topics: ReadonlyArray<string>; readonly depth: number | null } = {
  name: "a",
  topics: ["x", "y"],
  depth: null
}

it.each<[changes: Partial<typeof before>, expected: object]>([
  [{}, {}],
  [before, {}],
  [{ topics: ["x", "y"] }, {}],
  [{ topics: ["y", "x"] }, { topics: ["y", "x"] }],
  [{ name: "b", depth: null }, { name: "b" }],
  [{ depth: 0 }, { depth: 0 }]
])("of %j only what changes something is left", (changes, expected) => {
  expect(effectiveChanges(changes, before)).toEqual(expected)
})
