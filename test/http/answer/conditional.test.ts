import { describe, expect, test } from "vitest"
import { noneMatchNames, preconditionHolds, weakEtag } from "#src/http/answer/conditional.ts"

const tag = 'W/"2cf24dba5fb0a30e26e83b2ac5b9e29e"'

test("the tag of a body is its digest", () => {
  expect([weakEtag("hello"), weakEtag(new TextEncoder().encode("hello"))]).toStrictEqual([tag, tag])
})

describe("If-None-Match", () => {
  test.each([
    [undefined, false],
    ["", false],
    ["*", true],
    [tag, true],
    ['"2cf24dba5fb0a30e26e83b2ac5b9e29e"', true],
    ['W/"other"', false],
    [`"a,b", W/"c" ,${tag}`, true],
    ["2cf24dba5fb0a30e26e83b2ac5b9e29e", false]
  ])("%s: %s", (header, named) => expect(noneMatchNames(header, tag)).toBe(named))
})

describe("If-Unmodified-Since", () => {
  const second = Date.parse("2015-10-21T07:28:00Z")
  test.each([
    ["Wed, 21 Oct 2015 07:28:00 GMT", second, true],
    ["Wed, 21 Oct 2015 07:28:00 GMT", second + 1, false],
    ["Wed, 21 Oct 2015 07:28:01 GMT", second + 999, true],
    ["Wed, 21 Oct 2015 07:27:59 GMT", second, false],
    ["Wednesday, 21-Oct-15 07:28:00 GMT", second, true],
    ["Wednesday, 21-Oct-15 07:27:59 GMT", second, false],
    ["Wed Oct 21 07:28:00 2015", second, true],
    ["Wed Oct  1 07:28:00 2015", second, false],
    ["2015-10-21T09:28:00+02:00", second, true],
    ["2015-10-21T07:28:00.500Z", second + 501, false],
    ["soon", second, true],
    ["Wed, 32 Oct 2015 07:28:00 GMT", second, true],
    ["", second, true],
    [undefined, second, true]
  ])("%s against %i: %s", (header, updatedAt, holds) => expect(preconditionHolds(header, updatedAt)).toBe(holds))
})
