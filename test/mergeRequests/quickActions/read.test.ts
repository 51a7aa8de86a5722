import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readingQuickActions } from "#src/mergeRequests/quickActions/read.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"

/** What is read, and how long it takes without a pause at most. */
const readSlices = (text: string, before = "") => {
  const reading = readingQuickActions(text, before)
  let longest = 0
  for (;;) {
    const begun = cpuMillis()
    const step = reading.next()
    longest = Math.max(longest, cpuMillis() - begun)
    if (step.done) return { ...step.value, longest }
  }
}
const readQuickActions = (text: string, before?: string) => readSlices(text, before)

const tags = (text: string) => readQuickActions(text).actions.map(({ _tag }) => _tag)

it.each<readonly [text: string, description: string, actions: ReadonlyArray<string>]>([
  ["", "", []],
  ["A text\n", "A text\n", []],
  ["A text\n\n/label ~bug\n/close\n", "A text", ["AddLabels", "Close"]],
  ["/draft\n\nA text\n", "A text", ["MarkDraft"]],
  ["One\n/close\nTwo", "One\nTwo", ["Close"]],
  ["One\r\n/close\r\nTwo\r\n", "One\r\nTwo", ["Close"]],
  ["/close", "", ["Close"]],
  ["/label\nText", "Text", []],
  ["/unknown\n/close enough\n /close\nsee /close", "/unknown\n/close enough\n /close\nsee /close", []],
  ["```\n/close\n```\n/ready", "```\n/close\n```", ["MarkReady"]],
  ["~~~\n/close", "~~~\n/close", []],
  ["`a\n/close\nb`\n/ready", "`a\n/close\nb`", ["MarkReady"]],
  ["`a\n/close\n\nb`", "`a\n\nb`", ["Close"]],
  ["/title Use `x`\n/title Use `y", "", ["SetTitle", "SetTitle"]],
  ["> /close\n>/close", "> /close\n>/close", []],
  [">>>\n/close\n>>>\n/ready", ">>>\n/close\n>>>", ["MarkReady"]],
  ["<!--\n/close\n-->\n/ready", "<!--\n/close\n-->", ["MarkReady"]]
])("%j is stored as %j and orders %j", (text, description, actions) => {
  expect([readQuickActions(text).text, tags(text)]).toEqual([description, actions])
})

it.each<readonly [before: string, text: string, left: string, actions: ReadonlyArray<string>]>([
  ["/close", "/close", "/close", []],
  ["A\n/close\n", "/close\n/close\nA", "/close\nA", ["Close"]],
  ["`\n/close\n`", "/close", "", ["Close"]],
  ["/draft", "/close", "", ["Close"]]
])("what %j has is not ordered again by %j", (before, text, left, actions) => {
  const read = readQuickActions(text, before)
  expect([read.text, read.actions.map(({ _tag }) => _tag)]).toEqual([left, actions])
})

it("leaves paragraphs that are too long", () => {
  const long = `${"a\n".repeat(2 ** 13)}/close`
  expect(readQuickActions(`${long}\n\n/draft`)).toMatchObject({ text: long, actions: [{ _tag: "MarkDraft" }] })
})

it("takes a hundred actions of one text", () => {
  const { actions, text: description } = readQuickActions("/close\n".repeat(150))
  expect([actions.length, description.split("\n").length]).toEqual([100, 50])
})

describe("any text", () => {
  const parts = fc.array(fc.constantFrom("/close", "/label ~a", "/x", "`", "``", "```", ">", "text", " ", "\n", "\n", "\n"))
  const text = parts.map((parts) => parts.join(""))

  it("orders nothing where nothing is taken out", () => {
    fc.assert(
      fc.property(text, (text) => {
        const { actions, text: description } = readQuickActions(text)
        if (description === text) expect(actions).toEqual([])
      })
    )
  })

  it("loses its commands alone", () => {
    fc.assert(
      fc.property(text, (text) => {
        const lines = (text: string) => text.split("\n").filter((line) => line.trim() !== "")
        const { actions, text: description } = readQuickActions(text)
        expect(lines(text).length - lines(description).length).toBe(actions.length)
      })
    )
  })
})

it.each([
  "/close\n",
  "/x\n",
  "`\n",
  "` ``\n/x\n",
  "\n",
  "/label ",
  '/label ~"',
  '"',
  "/spend 1 ",
  "```\n/close\n",
  "`".repeat(64)
])("takes linear time for a MiB of %j", (part) => {
  const begun = cpuMillis()
  const many = part.repeat(2 ** 20 / part.length)
  for (const text of [many, `/label ${many}`, `/close\n${many}`]) readQuickActions(text)
  expect(cpuMillis() - begun).toBeLessThan(4_000)
})

it("takes linear time for runs of many lengths", () => {
  const begun = cpuMillis()
  readQuickActions(`/x ${Array.from({ length: 1_400 }, (_, index) => "`".repeat(index + 1)).join(" ")}`)
  expect(cpuMillis() - begun).toBeLessThan(2_000)
})
