import { expect, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { paragraph } from "#src/markdown/escapeHtml.ts"
import { isPlain, Markdown } from "#src/markdown/Markdown.ts"
import { render } from "#src/markdown/render.ts"

const all = (texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const markdown = yield* Markdown
    return yield* Effect.forEach(texts, markdown.render, { concurrency: "unbounded" })
  })

layer(Markdown.layer, { excludeTestServices: true })("texts in Markdown", (it) => {
  it.effect("are rendered in a thread, each as it is alone", () =>
    Effect.gen(function* () {
      const texts = ["*a*", "# b", "*a*", "plain", "", " \n", "- <c>"]
      expect(yield* all(texts)).toEqual(texts.map((text) => (text.trim() === "" ? "" : render(text))))
      expect(yield* all(texts)).toEqual(texts.map((text) => (text.trim() === "" ? "" : render(text))))
    })
  )

  it.effect("are one paragraph where they are too long or too dear", () =>
    Effect.gen(function* () {
      const texts = ["*a* ".repeat(2 ** 15), ">>>>\n\\\n".repeat(9_000)]
      expect(yield* all(texts)).toEqual(texts.map(paragraph))
    })
  )

  it.effect("leave the event loop to others however dear they are", () =>
    Effect.gen(function* () {
      const texts = Array.from({ length: 8 }, (_, index) => `${"![".repeat(2 ** 15 - 8)}${index}`)
      const before = performance.eventLoopUtilization()
      yield* all(texts)
      expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
    })
  )
})

it("takes a text for plain only where it is rendered as it is", () => {
  const part = fc.constantFrom(..."ab 1.)-+=#>*_`~[]()<!|\\:&\"'\t".split(""), "https://a.b", "\u2028", "\0", "é")
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join("").trim()
      if (isPlain(text)) expect(paragraph(text)).toBe(render(text))
    }),
    { numRuns: 2_000 }
  )
})
