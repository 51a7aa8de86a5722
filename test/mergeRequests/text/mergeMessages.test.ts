import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mergeCommitMessage, squashCommitMessage } from "#src/mergeRequests/text/mergeMessages.ts"
import { closesSentence, type MessageFacts } from "#src/mergeRequests/text/messageFacts.ts"
import { renderTemplate } from "#src/mergeRequests/text/messageTemplates.ts"

const mira = { name: "Mira Holt", email: "mira@example.com" }
const jon = { name: "Jon Ek", email: "jon@example.com" }

const commit = (message: string, { email, name } = mira, isMerge = false) => ({
  message,
  authorName: name,
  authorEmail: email,
  isMerge
})

const facts: MessageFacts = {
  title: "Add retry to the uploader",
  description: "It fails on\r\nflaky links.",
  sourceBranch: "retry-uploader",
  targetBranch: "main",
  issues: ["#3"],
  reference: "tools/uploader!14",
  url: "https://git.example.com/tools/uploader/-/merge_requests/14",
  commits: [
    commit("Merge branch 'main'\n\nwith a body\n", jon, true),
    commit("Third\n\nA long\nbody\n"),
    commit("Second\n\nA body\n", jon),
    commit("First\n")
  ],
  reviewers: [jon, mira],
  approvers: [],
  merger: jon,
  author: jon
}

describe("without a template", () => {
  it("a merge commit tells branches, title, issues and reference", () => {
    expect(mergeCommitMessage(null, facts)).toBe(
      "Merge branch 'retry-uploader' into 'main'\n\nAdd retry to the uploader\n\nCloses #3\n\nSee merge request tools/uploader!14"
    )
    expect(mergeCommitMessage(null, { ...facts, issues: [] })).toBe(
      "Merge branch 'retry-uploader' into 'main'\n\nAdd retry to the uploader\n\nSee merge request tools/uploader!14"
    )
  })

  it("a squash commit tells the title", () => {
    expect(squashCommitMessage(null, facts)).toBe("Add retry to the uploader")
  })

  it("and with one that makes nothing, the same", () => {
    expect(squashCommitMessage(" %{approved_by}\n", facts)).toBe("Add retry to the uploader")
    expect(mergeCommitMessage("", facts)).toBe(mergeCommitMessage(null, facts))
  })
})

it.each([
  [[], ""],
  [["#3"], "Closes #3"],
  [["#3", "#5"], "Closes #3 and #5"],
  [["#3", "#5", "tools/other#8"], "Closes #3, #5, and tools/other#8"]
])("%j: %s", (issues, sentence) => {
  expect(closesSentence(issues)).toBe(sentence)
})

it.each([
  ["%{title}", "Add retry to the uploader"],
  ["%{description}", "It fails on\nflaky links."],
  ["%{source_branch} into %{target_branch}", "retry-uploader into main"],
  ["%{issues}", "Closes #3"],
  ["%{reference} %{url}", "tools/uploader!14 https://git.example.com/tools/uploader/-/merge_requests/14"],
  ["%{first_commit}", "First"],
  ["%{first_multiline_commit}", "Second\n\nA body"],
  ["%{all_commits}", "* Third\n\nA long\nbody\n\n* Second\n\nA body\n\n* First"],
  ["%{reviewed_by}", "Reviewed-by: Jon Ek <jon@example.com>\nReviewed-by: Mira Holt <mira@example.com>"],
  ["%{merged_by}", "Jon Ek <jon@example.com>"],
  ["%{co_authored_by}", "Co-authored-by: Mira Holt <mira@example.com>"],
  ["%{approved_by}", ""],
  ["%{unknown} %{} %{TITLE} %title", "%{unknown} %{} %{TITLE} %title"],
  ["a\n\n%{approved_by}\n\nb", "a\n\nb"],
  ["a\n\n\n  %{approved_by} \nb", "a\nb"],
  ["a\n\n%{approved_by}", "a"],
  ["%{approved_by}\n\nb", "b"],
  ["a\n\n%{approved_by}\n%{approved_by}\n\nb", "a\n\nb"],
  ["a\n\nby %{approved_by}.\n\nb", "a\n\nby .\n\nb"],
  ["a\n\n%{approved_by}%{approved_by}\nb", "a\n\n\nb"],
  ["a\r\n\r\n%{title}\r\n", "a\n\nAdd retry to the uploader"]
])("the template %j makes %j", (template, message) => {
  expect(renderTemplate(template, facts)).toBe(message)
})

it("takes the title where no commit has several lines", () => {
  expect(renderTemplate("%{first_multiline_commit}", { ...facts, commits: [commit("One\n")] })).toBe(facts.title)
  expect(renderTemplate("%{first_commit}", { ...facts, commits: [] })).toBe("")
})

it("tells the newest hundred commits, and of a very long one its title", () => {
  const commits = Array.from({ length: 150 }, (_, index) => commit(`Commit ${index}`))
  expect(renderTemplate("%{all_commits}", { ...facts, commits }).split("\n\n")).toEqual(
    commits.slice(0, 100).map(({ message }) => `* ${message}`)
  )
  expect(renderTemplate("%{all_commits}", { ...facts, commits: [commit(`Title\n\n${"x".repeat(200_000)}`)] })).toBe("* Title")
})

it("reads no template in a value", () => {
  expect(renderTemplate("%{title}", { ...facts, title: "%{description} $& $1" })).toBe("%{description} $& $1")
})

it("makes no message that is very long", () => {
  const description = "x".repeat(2 ** 20)
  expect(renderTemplate("%{description}".repeat(5_000), { ...facts, description }).length).toBeLessThan(2 * 2 ** 20)
})

it("keeps a text without placeholders, but for line ends around it", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const plain = text.replaceAll(/[%\r]/g, "")
      expect(renderTemplate(plain, facts)).toBe(plain.replace(/^\n+/, "").replace(/\n+$/, ""))
    })
  )
})
