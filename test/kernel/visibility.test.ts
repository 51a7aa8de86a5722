import { describe, expect, it } from "vitest"
import { isMoreVisible, isOpenTo, lessVisible, visibilities } from "#src/kernel/visibility.ts"

it("each shows more than those before it", () => {
  const pairs = visibilities.flatMap((one) => visibilities.map((other) => [one, other] as const))
  expect(pairs.filter(([one, other]) => isMoreVisible(one, other))).toEqual([
    ["internal", "private"],
    ["public", "private"],
    ["public", "internal"]
  ])
  expect(pairs.map(([one, other]) => lessVisible(one, other))).toEqual(
    pairs.map(([one, other]) => (isMoreVisible(one, other) ? other : one))
  )
})

describe("who is no member sees", () => {
  const openTo = (isSignedIn: boolean, isExternal: boolean) =>
    visibilities.filter((visibility) => isOpenTo(visibility, { isSignedIn, isExternal }))

  it.each([
    ["signed in", openTo(true, false), ["internal", "public"]],
    ["external", openTo(true, true), ["public"]],
    ["anonymous", openTo(false, false), ["public"]]
  ])("%s: %j", (_, seen, expected) => {
    expect(seen).toEqual(expected)
  })
})
