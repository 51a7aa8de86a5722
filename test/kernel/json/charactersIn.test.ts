import { HashMap } from "effect"
import { expect, it } from "vitest"
import { charactersIn } from "#src/kernel/json/charactersIn.ts"

const times = Array.from({ length: 500 }, (_, index) => Date.UTC(2026, 0, 1) + index)
const jobs = HashMap.fromIterable(
  times.map((at, id) => [id, { name: `job ${id}`, stage: "test", needs: ["a", "b"], at, isDone: true }] as const)
)

it.each([
  ["fields", { id: 12_345, title: "a title", labels: [{ title: "bug" }, null, true], none: undefined, isOpen: false }],
  ["long texts", { text: "a".repeat(100_000) }],
  ["numbers", times],
  ["a map of objects", { jobs, from: 1 }],
  ["a map of texts", HashMap.fromIterable(times.map((at) => [at, "a text"] as const))],
  ["an empty map", HashMap.empty()]
])("counts about as many characters as the JSON of %s has", (_, value) => {
  const exact = JSON.stringify(value).length
  expect(Math.abs(charactersIn(value) - exact)).toBeLessThan(Math.max(30, exact / 2))
})
