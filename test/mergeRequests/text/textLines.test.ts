import fc from "fast-check"
import { expect, it } from "vitest"
import { textLines } from "#src/mergeRequests/text/textLines.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"

/** Each line with `T` for text, its quotes, and what is in them. */
const told = (text: string) => [...textLines(text)].map(({ depth, isText, text }) => `${isText ? "T" : "-"}${depth}${text}`)

it.each<readonly [text: string, lines: ReadonlyArray<string>]>([
  ["", []],
  ["a\n\nb\r\n", ["T0a", "T0", "T0b"]],
  ["```js\na\n```\nb", ["-0```js", "-0a", "-0```", "T0b"]],
  ["~~~~\n~~~\n````\n~~~~~ \nb", ["-0~~~~", "-0~~~", "-0````", "-0~~~~~", "T0b"]],
  ["```\n``` no\n```\nb", ["-0```", "-0``` no", "-0```", "T0b"]],
  ["```\na", ["-0```", "-0a"]],
  ["```a`b\nc", ["T0```a`b", "T0c"]],
  ["``\na", ["T0``", "T0a"]],
  ["- a\n    ```\n    b\n    ```\nc", ["T0- a", "-0    ```", "-0    b", "-0    ```", "T0c"]],
  ["> a\n> > b\n>> c", ["T1 a", "T2 b", "T2 c"]],
  ["> ```\n> a\nb", ["-1 ```", "-1 a", "T0b"]],
  ["```\n> a\n```\nb", ["-0```", "-1 a", "-0```", "T0b"]],
  [">>>\na\n> b\n>>>\nc", ["-3", "T1a", "T2 b", "-3", "T0c"]],
  ["```\n>>>\n```\nb", ["-0```", "-3", "-0```", "T0b"]],
  ["<!-- a\nb\n-->\nc", ["-0<!-- a", "-0b", "-0-->", "T0c"]],
  ["<!-- a -->\nb", ["-0<!-- a -->", "T0b"]]
])("%j has the lines %j", (text, lines) => {
  expect(told(text)).toEqual(lines)
})

it("misses no character", () => {
  const parts = fc.array(fc.constantFrom("```", "~~~", ">", ">>>", "\n", "\r\n", "a", " ", "<!--", "-->"))
  fc.assert(
    fc.property(parts, (parts) => {
      const text = parts.join("")
      expect([...textLines(text)].map(({ end, start }) => text.slice(start, end)).join("")).toBe(text)
    })
  )
})

it.each(["\n", "```\n", "> ```\n", ">", "> ", "`", "<!--\n", " ", "~~~a"])("takes linear time for a MiB of %j", (part) => {
  const begun = cpuMillis()
  told(part.repeat(2 ** 20 / part.length))
  expect(cpuMillis() - begun).toBeLessThan(3_000)
})
