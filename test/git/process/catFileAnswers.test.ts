import fc from "fast-check"
import { expect, it } from "vitest"
import { type Answer, answerReader, type Question } from "#src/git/process/catFileAnswers.ts"

const id = fc.stringMatching(/^[0-9a-f]{40}$/)
const type = fc.constantFrom("blob" as const, "tree" as const, "commit" as const, "tag" as const)
/** With bytes that look like headers. */
const content = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom("\n", "\n\n", "x missing\n", `${"0".repeat(40)} blob 3\n`).map((text) => Buffer.from(text))
)

interface Exchange {
  readonly question: Question
  readonly answer: Answer
  readonly printed: Buffer
}

const exchange: fc.Arbitrary<Exchange> = fc.oneof(
  fc
    .record({ id, type, content, question: fc.constantFrom<Question>("info", "contents") })
    .map(({ content, question, ...rest }) => {
      const info = { ...rest, size: content.length }
      const header = Buffer.from(`${info.id} ${info.type} ${info.size}\n`)
      return question === "info"
        ? { question, answer: info, printed: header }
        : { question, answer: { ...info, content }, printed: Buffer.concat([header, content, Buffer.from("\n")]) }
    }),
  fc
    .record({
      question: fc.constantFrom<Question>("info", "contents"),
      name: fc.constantFrom("nope missing", "a b missing", "abcd ambiguous")
    })
    .map(({ name, question }) => ({ question, answer: undefined, printed: Buffer.from(`${name}\n`) }))
)

/** Pieces of the lengths given, over and over. */
const cut = (bytes: Buffer, lengths: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const pieces: Array<Buffer> = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}

it("reads answers in whatever pieces they come", () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(fc.array(exchange), pieces, (exchanges, lengths) => {
      const waiting = exchanges.map(({ question }) => question)
      const answers: Array<Answer> = []
      const read = answerReader(
        () => waiting[0],
        (answer) => {
          waiting.shift()
          answers.push(answer)
          return true
        }
      )
      const printed = Buffer.concat(exchanges.map((it) => it.printed))
      expect(cut(printed, lengths).every((piece) => read(piece))).toBe(true)
      expect(answers).toEqual(exchanges.map(({ answer }) => answer))
    })
  )
})

it.each<readonly [string, Question | undefined, string]>([
  ["an answer that nobody asked for", undefined, `${"0".repeat(40)} blob 0\n`],
  ["a line that is no answer", "info", "fatal: something\n"],
  ["a type that is none", "info", `${"0".repeat(40)} chair 0\n`],
  ["content that does not end where it should", "contents", `${"0".repeat(40)} blob 2\nabc\n`],
  ["a line without an end", "info", "x".repeat(6000)]
])("finds fault with %s", (_, question, printed) => {
  const read = answerReader(
    () => question,
    () => true
  )
  expect(read(Buffer.from(printed))).toBe(false)
})

it("stops at an answer that makes no sense", () => {
  const seen: Array<Answer> = []
  const read = answerReader(
    () => "info",
    (answer) => {
      seen.push(answer)
      return false
    }
  )
  expect(read(Buffer.from("a missing\nb missing\n"))).toBe(false)
  expect(seen.length).toBe(1)
})
