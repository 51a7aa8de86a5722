import { Result } from "effect"
import { expect, it } from "vitest"
import { Budget } from "#src/pipelines/config/Budget.ts"
import { tooBig } from "#src/pipelines/config/ConfigInvalid.ts"
import { readDocument } from "#src/pipelines/config/yaml/documents.ts"
import { withoutPauses } from "#test/support/withoutPauses.ts"
import { compiled } from "./samples.ts"

const tokensOf = (text: string, count = 10_000) => {
  const budget = new Budget(count)
  const read = withoutPauses(readDocument(text, budget))
  return { read, taken: count - budget.left }
}

it("a text that is read again is not parsed again, and takes as many tokens", () => {
  const text = "again:\n  script: [make, test]\n"
  const [first, second] = [tokensOf(text), tokensOf(text)]
  expect(first.taken).toBeGreaterThan(5)
  expect(second.taken).toBe(first.taken)
  expect(Result.getOrThrow(second.read)).toBe(Result.getOrThrow(first.read))
})

it("a text that takes too many tokens is too big each time", () => {
  const text = "many:\n  script: [a, b, c]\n"
  const { taken } = tokensOf(text)
  const expected = Result.fail(tooBig())
  expect([tokensOf(text, taken - 1).read, tokensOf(text, taken).read]).toEqual([expected, tokensOf(text).read])
})

it("a configuration means the same each time", async () => {
  const text = `
default: { retry: 1, tags: [big] }
variables: { A: one }
.base: &base { script: [make], variables: { B: $A } }
.more: { extends: .base, before_script: [!reference [.base, script]] }
build: { extends: .more, stage: build, parallel: 2 }
test: { <<: *base, needs: [build], rules: [{ if: $A == "one", variables: { A: two } }] }
`
  const [first, second] = [await compiled(text), await compiled(text)]
  expect(first).toMatchObject({ _tag: "Planned" })
  expect(second).toEqual(first)
})
