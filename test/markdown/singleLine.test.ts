import fc from "fast-check"
import { expect, it } from "vitest"
import { renderSingleLine } from "#src/markdown/singleLine.ts"

const link = (address: string) => `<a href="${address}" rel="nofollow noreferrer noopener" target="_blank">${address}</a>`

it.each([
  ["", ""],
  ["Add *a* `b`", "Add *a* `b`"],
  ['<script>"&', "&lt;script&gt;&quot;&amp;"],
  ["see https://a.b/c.", `see ${link("https://a.b/c")}.`],
  ["(HTTP://a.b)", `(${link("HTTP://a.b")})`],
  ["https://a.b/(c)", link("https://a.b/(c)")],
  ["ftp://a.b, https://c.d", `${link("ftp://a.b")}, ${link("https://c.d")}`],
  ['https://a.b/?c&d"e', link("https://a.b/?c&amp;d&quot;e")],
  ["<https://a.b>", `&lt;${link("https://a.b")}&gt;`],
  ["xhttps://a.b javascript://a data://b", "xhttps://a.b javascript://a data://b"],
  ["https:// http://.", "https:// http://."],
  [`https://a.b ${"c".repeat(1_024)}`, `https://a.b ${"c".repeat(1_024)}`]
])("%j is shown as %s", (text, html) => {
  expect(renderSingleLine(text)).toBe(html)
})

it("shows every text as it is, but for its links", () => {
  const part = fc.constantFrom("https://", "a", "<", ">", '"', "&", " ", ".", "(", ")", "&lt;", "\n")
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const html = renderSingleLine(parts.join(""))
      const text = html.replaceAll(/<a href="[^"<>]*" rel="[^"]*" target="_blank">|<\/a>/g, "")
      expect(text).not.toMatch(/[<>"]/)
      const shown = text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
      expect(shown).toBe(parts.join(""))
    })
  )
})
