import { expect, it } from "vitest"
import { Thread } from "#src/markdown/Thread.ts"

it("that ends over a text is followed by another one for the next text", async () => {
  const thread = new Thread()
  const render = (text: string) => new Promise((resolve) => thread.render(text, resolve))
  const lost = render("![".repeat(2 ** 15))
  thread.end()
  expect(await lost).toBeUndefined()
  expect([await render("*a*"), await render("*b*")]).toEqual(["a", "b"].map((letter) => `<p dir="auto"><em>${letter}</em></p>`))
  thread.end()
})
