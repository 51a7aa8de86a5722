import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { closingReferences, mentionedIssues } from "#src/mergeRequests/text/closingReferences.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"

const context = { externalUrl: "https://git.example.com/sub", projectPath: "tools/uploader" }
const url = "https://git.example.com/sub"

/** As a reader would write them: `#3` or `group/project#3`. */
const found = (...texts: ReadonlyArray<string>) =>
  closingReferences(texts, context).map(({ iid, project = "" }) => `${project}#${iid}`)

const keywords = [
  ..."close closes closed closing fix fixes fixed fixing resolve resolves resolved resolving".split(" "),
  ..."implement implements implemented implementing".split(" ")
]

it.each(keywords)("%s closes, with a capital and a colon too", (word) => {
  const capital = `${word.charAt(0).toUpperCase()}${word.slice(1)}`
  expect([word, capital, `${word}:`, `${capital}:`].map((keyword) => found(`${keyword} #3`))).toEqual(Array(4).fill(["#3"]))
})

it.each<readonly [text: string, references: ReadonlyArray<string>]>([
  ["Closes #1 #2 #3", ["#1", "#2", "#3"]],
  ["Closes #1, #2 #3,#4", ["#1", "#2", "#3", "#4"]],
  ["Closes #1 , #2", ["#1", "#2"]],
  ["Closes #3, #5, and #8", ["#3", "#5", "#8"]],
  ["Closes #3 and #5", ["#3", "#5"]],
  ["fixing issues #2, #3 and #4", ["#2", "#3", "#4"]],
  ["fixing issue #2", ["#2"]],
  ["Closes issue #2, issue #3", ["#2", "#3"]],
  ["Closes\t #1", ["#1"]],
  ["Closes #1. Fixes #2! (resolves #3)", ["#1", "#2", "#3"]],
  ["Closes #1 and closes #2", ["#1", "#2"]],
  ["Closes #1 and fixed the rest of #2", ["#1"]],
  ["closes closes #1", ["#1"]],
  ["Closes #1, #1 and #1", ["#1"]],
  ["Closes #007", ["#7"]],
  ["Closes a/b#1, A/B#1, a/b/c-d.e_f#2, beside#3", ["a/b#1", "a/b/c-d.e_f#2", "beside#3"]],
  ["Closes tools/uploader#1, #1, Tools/Uploader#1", ["#1"]],
  [`Closes ${url}/a/b/-/issues/1, #2 and ${url}/a/b/issues/3`, ["a/b#1", "#2", "a/b#3"]],
  [`Closes ${url}/tools/uploader/-/issues/1`, ["#1"]],
  [`Closes ${url}/a/b/-/work_items/4#note_17, #5`, ["a/b#4", "#5"]],
  [`Closes ${url}/a/b/-/issues/1?x=1 #2`, ["a/b#1", "#2"]],
  [`Closes ${url}/a/b/-/issues/1.`, ["a/b#1"]],
  ["Closes HTTPS://Git.Example.com/sub/a/b/-/issues/1", ["a/b#1"]],
  ["Closes https://elsewhere.example.com/a/b/-/issues/1", []],
  ["Closes https://git.example.com/a/b/-/issues/1", []],
  [`Closes ${url}x/a/b/-/issues/1`, []],
  [`Closes ${url}/a/b/-/merge_requests/1`, []],
  [`Closes ${url}/issues/1`, []],
  ["suffix #1, unfixed #2, éfix #3, _closes #4, 1fixes #5", []],
  ["closest #1, fixture #2, fixe #3", []],
  ["CLOSES #1", []],
  ["Closes#1, Closes:#2", []],
  ["Closes : #1", []],
  ["Closes\n#1", []],
  ["Closes #1\n#2", ["#1"]],
  ["Closes #1; #2", ["#1"]],
  ["Closes #1a, closes !2, closes # 3, closes #0, closes #99999999999999999", []],
  ["Closes #2147483648, closes #9007199254740991, closes #9007199254740992", ["#2147483648", "#9007199254740991"]],
  ["", []]
])("%j closes %j", (text, references) => {
  expect(found(text)).toEqual(references)
})

it.each<readonly [text: string, references: ReadonlyArray<string>]>([
  ["#1 and #2, not closed; Closes #3", ["#1", "#2", "#3"]],
  ["see a/b#4, -a/b#5, /a/b#6 beside#7.", ["a/b#4", "a/b#5", "a/b#6", "beside#7"]],
  ["tools/uploader#1 #1", ["#1"]],
  [`${url}/a/b/-/issues/1 (${url}/a/b/-/work_items/2)`, ["a/b#1", "a/b#2"]],
  ["HTTPS://GIT.example.com/sub/a/b/-/issues/1", ["a/b#1"]],
  ["https://elsewhere.example.com/a/b/-/issues/1", []],
  ["&#39; # 1 #1a #a !1 ##2", ["#2"]],
  ["", []]
])("%j names %j", (text, references) => {
  expect(mentionedIssues([text], context).map(({ iid, project = "" }) => `${project}#${iid}`)).toEqual(references)
})

it("reads several texts, and each reference in them once", () => {
  expect(found("Closes #1", "Closes", "#2", "Fixes #1, #3")).toEqual(["#1", "#3"])
})

it("finds a thousand issues at the most", () => {
  expect(found(`Closes ${Array.from({ length: 2_000 }, (_, index) => `#${index + 1}`).join(" ")}`)).toHaveLength(1_000)
})

describe("any text", () => {
  const parts = fc.array(
    fc.constantFrom("Closes", "fix", " ", ", ", " and ", "issue ", "#1", "#2", "a/b#3", `${url}/a/-/issues/4`, "\n", ":")
  )
  const text = parts.map((parts) => parts.join(""))

  it("names each issue once", () => {
    fc.assert(
      fc.property(text, (text) => {
        const references = found(text)
        expect(new Set(references).size).toBe(references.length)
        expect(found(text, text)).toEqual(references)
      })
    )
  })

  it("names what its lines name", () => {
    fc.assert(
      fc.property(text, (text) => {
        expect(found(...text.split("\n"))).toEqual(found(text))
      })
    )
  })
})

it.each([
  "closes ",
  "#",
  "a/b#",
  "-/",
  `${url}/`,
  "closes a/b",
  "closes a/b ",
  "closes #1",
  "closes issue",
  "closes issue ",
  "fix: ",
  " ",
  "a/",
  "#1, ",
  `${url}/a/-/issues/`,
  `closes ${url}/a/issues/`
])("takes linear time for a MiB of %j", (part) => {
  const begun = cpuMillis()
  const many = part.repeat(2 ** 20 / part.length)
  for (const text of [many, `closes ${many}`, `closes #1${many}`]) {
    closingReferences([text], context)
    mentionedIssues([text], context)
  }
  expect(cpuMillis() - begun).toBeLessThan(3_000)
})
