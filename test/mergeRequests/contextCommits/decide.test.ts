import { expect, it } from "vitest"
import { type Command, contextCommitsAggregate, type State } from "#src/mergeRequests/contextCommits/aggregate.ts"
import { ContextCommitsEvent } from "#src/mergeRequests/contextCommits/events.ts"
import { stepOf } from "#test/support/aggregateLaws.ts"
import { outcomeOf } from "#test/support/decisions.ts"

const { cases } = ContextCommitsEvent
const outcome = outcomeOf(contextCommitsAggregate)
const step = stepOf(contextCommitsAggregate)
const shown = (shas: ReadonlyArray<string>): State => shas.map((sha) => ({ sha, committedAt: 1_700_000_000 }))
const add = (...shas: ReadonlyArray<string>): Command => ({ _tag: "Add", commits: shown(shas), by: 8 })
const remove = (...shas: ReadonlyArray<string>): Command => ({ _tag: "Remove", shas, by: 8 })
const after = (...commands: ReadonlyArray<Command>): State => commands.reduce(step, contextCommitsAggregate.initial)

it("commits are added once, and again when they were removed", () => {
  expect(outcome(add("a", "b"), after())).toEqual([cases.ContextCommitsAdded.make({ commits: shown(["a", "b"]), by: 8 })])
  expect(outcome(add("c", "b"), after(add("a", "b")))).toBe("ContextCommitsExist")
  expect(outcome(add("b"), after(add("a", "b"), remove("b")))).toEqual([
    cases.ContextCommitsAdded.make({ commits: shown(["b"]), by: 8 })
  ])
  expect(after(add("a", "b"), remove("a"), add("c"))).toEqual(shown(["b", "c"]))
})

it("what is not there is not removed", () => {
  expect(outcome(remove("b", "c"), after(add("a", "b")))).toEqual([cases.ContextCommitsRemoved.make({ shas: ["b"], by: 8 })])
  expect(outcome(remove("c"), after(add("a", "b")))).toEqual([])
})

it("there are two hundred at most", () => {
  const many = Array.from({ length: 199 }, (_, index) => `${index}`)
  expect(outcome(add("a"), after(add(...many)))).toHaveLength(1)
  expect(outcome(add("a", "b"), after(add(...many)))).toBe("TooManyContextCommits")
})
