import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { paragraph } from "#src/markdown/escapeHtml.ts"
import { render } from "#src/markdown/render.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"

const away = 'rel="nofollow noreferrer noopener" target="_blank"'

it.each([
  ["A text", '<p dir="auto">A text</p>'],
  ["a <b> & c", '<p dir="auto">a &lt;b&gt; &amp; c</p>'],
  ["*a* **b** ~~c~~ `<d>`", '<p dir="auto"><em>a</em> <strong>b</strong> <s>c</s> <code>&lt;d&gt;</code></p>'],
  ["# a\n\nb", '<h1 dir="auto">a</h1>\n<p dir="auto">b</p>'],
  ["- a\n- b", '<ul dir="auto">\n<li>a</li>\n<li>b</li>\n</ul>'],
  ["> a", '<blockquote dir="auto">\n<p>a</p>\n</blockquote>'],
  ['```x"y\n<a>\n```', '<pre><code class="language-x&quot;y">&lt;a&gt;\n</code></pre>'],
  ["<script>alert(1)</script>", '<p dir="auto">&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ["[a](b/c:d?e#f)", '<p dir="auto"><a href="b/c:d?e#f">a</a></p>'],
  ["[a](https://b.c)", `<p dir="auto"><a href="https://b.c" ${away}>a</a></p>`],
  ["[a](//b.c)", `<p dir="auto"><a href="//b.c" ${away}>a</a></p>`],
  ["see https://b.c.", `<p dir="auto">see <a href="https://b.c" ${away}>https://b.c</a>.</p>`],
  ["b.com a@b.com //b.com", '<p dir="auto">b.com a@b.com //b.com</p>'],
  ['![a"](b.png)', '<p dir="auto"><img src="b.png" alt="a&quot;"></p>'],
  [
    "| a |\n|---|\n| b |",
    '<table dir="auto">\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>'
  ]
])("%j is shown as %s", (text, html) => {
  expect(render(text)).toBe(html)
})

/** Where a browser is led by the links and images of a page. */
const protocolsIn = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url = ""]) => {
    const decoded = url.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
    return URL.canParse(decoded, "https://host/page") ? new URL(decoded, "https://host/page").protocol : "none"
  })

it.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "javascript&colon;alert(1)",
  "&#106;avascript:alert(1)",
  "java&Tab;script:alert(1)",
  "java&#10;script:alert(1)",
  "&#1;javascript:alert(1)",
  "vbscript:x",
  "data:text/html,x",
  "data:image/png;base64,x",
  "file:///etc/passwd",
  "blob:x",
  "x-scheme:y"
])("%s is no link, nor an image", (url) => {
  for (const text of [`[a](${url})`, `[a](<${url}>)`, `![a](${url})`, `<${url}>`, `[a]\n\n[a]: ${url}`, url])
    expect(protocolsIn(render(text)).filter((protocol) => protocol !== "https:")).toEqual([])
})

/** All that is written with angle brackets, which no text has. */
const element = /<[^<>]*>/g
const known =
  /^<(?:\/?(?:p|h[1-6]|ul|ol|li|blockquote|pre|code|em|strong|s|a|table|thead|tbody|tr|th|td)|hr|br|img)(?: (?:dir|href|src|alt|title|rel|target|class|start|style)="[^"<>]*")*>$/

describe("any text", () => {
  const part = fc.constantFrom(
    ..."* _ ` ~~ [ ] ( ) ! < > & \" ' # - + 1. | \\ :".split(" "),
    ...[
      "\n",
      "\n\n",
      "    ",
      " ",
      "a",
      "javascript:",
      "https://a.b/",
      "<script>",
      "<img src=x onerror=y>",
      "&lt;",
      "|-|-|",
      "[a]: b",
      "```"
    ]
  )
  const text = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(""))

  it("makes known elements alone", () => {
    fc.assert(
      fc.property(text, (text) => {
        const html = render(text)
        expect((html.match(element) ?? []).filter((each) => !known.test(each))).toEqual([])
        expect(html.replaceAll(element, "")).not.toMatch(/[<>]/)
        expect(protocolsIn(html).filter((protocol) => protocol !== "https:" && protocol !== "none")).toEqual([])
      })
    )
  })

  it("is the same each time", () => {
    fc.assert(
      fc.property(text, (text) => {
        expect(render(text)).toBe(render(text))
      })
    )
  })
})

/** What strangers may try to have run, and what is shown instead. */
it.each([
  ["<script>alert(1)</script>", '<p dir="auto">&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ["<img src=x onerror=alert(1)>", '<p dir="auto">&lt;img src=x onerror=alert(1)&gt;</p>'],
  ["<!-- a --><b>", '<p dir="auto">&lt;!-- a --&gt;&lt;b&gt;</p>'],
  ["<svg/onload=x>\n\n<math>", '<p dir="auto">&lt;svg/onload=x&gt;</p>\n<p dir="auto">&lt;math&gt;</p>'],
  ["&lt;script&gt;", '<p dir="auto">&lt;script&gt;</p>'],
  ["`<script>`", '<p dir="auto"><code>&lt;script&gt;</code></p>'],
  ["    <script>", "<pre><code>&lt;script&gt;\n</code></pre>"],
  ["```<script>\n```", '<pre><code class="language-&lt;script&gt;"></code></pre>'],
  ['```" onclick="x\n```', '<pre><code class="language-&quot;"></code></pre>'],
  ['[a](b "\\" onclick=x")', '<p dir="auto"><a href="b" title="&quot; onclick=x">a</a></p>'],
  ['[a](<b" onclick="x>)', '<p dir="auto"><a href="b%22%20onclick=%22x">a</a></p>'],
  ['![" onerror="x](b)', '<p dir="auto"><img src="b" alt="&quot; onerror=&quot;x"></p>'],
  ["[a](javascript:x)", '<p dir="auto">[a](javascript:x)</p>'],
  ["[a](java\tscript:x)", '<p dir="auto">[a](java\tscript:x)</p>'],
  ["[a](\u0001javascript:x)", '<p dir="auto">[a](\u0001javascript:x)</p>'],
  ["<javascript:x>", '<p dir="auto">&lt;javascript:x&gt;</p>'],
  ["[a]\n\n[a]: data:text/html,x", '<p dir="auto">[a]</p>\n<p dir="auto">[a]: data:text/html,x</p>'],
  ["\u0000<b>", '<p dir="auto">\ufffd&lt;b&gt;</p>'],
  ["| <b> |\n|---|", '<table dir="auto">\n<thead>\n<tr>\n<th>&lt;b&gt;</th>\n</tr>\n</thead>\n</table>'],
  ["[__proto__]\n\n[constructor]", '<p dir="auto">[<strong>proto</strong>]</p>\n<p dir="auto">[constructor]</p>']
])("%j of a stranger is shown as %s", (text, html) => {
  expect(render(text)).toBe(html)
})

describe("what is made to be dear", () => {
  const size = 2 ** 16

  it.each([
    "[",
    "![",
    "[a](",
    "*a ",
    "*_",
    "`",
    "> ",
    "- ",
    "<",
    "~~a",
    "a|",
    "|-|-|\n",
    "[a]: b\n",
    "https://a.b ",
    "a\n",
    "\\",
    "&",
    ">>>>\n\\\n",
    "\n>>>>\na**b",
    "> - # a\n[a]\n",
    "![a",
    "[](",
    "[a](b '",
    "<http://a>tel:1|",
    "**_* ",
    "\\``"
  ])("is not slow: %j", (part) => {
    const begun = cpuMillis()
    render(part.repeat(size / part.length))
    expect(cpuMillis() - begun).toBeLessThan(3_000)
  })

  it("is one paragraph where a long link is repeated", () => {
    const text = `[a]: http://x/${"y".repeat(size / 2)}\n\n${"[a]".repeat(size / 8)}`
    expect(render(text)).toBe(paragraph(text))
  })

  it("is no table where it has far more cells than characters", () => {
    const text = `${"a|".repeat(300)}\n${"-|".repeat(300)}\n${"a\n".repeat(200)}`
    expect(render(text)).not.toContain("<table")
    expect(render(text).length).toBeLessThan(2 * text.length)
  })

  it("nests no deeper than twenty levels of lists", () => {
    const text = Array.from({ length: 50 }, (_, level) => `${"  ".repeat(level)}- a`).join("\n")
    expect(render(text).split("<ul").length - 1).toBe(20)
  })
})
