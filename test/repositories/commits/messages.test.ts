import { describe, expect, it } from "vitest"
import { cherryPickMessage, revertMessage, titleOf } from "#src/repositories/commits/messages.ts"

describe("the title", () => {
  it.each([
    ["Title", "Title"],
    ["Title\r\n\r\nBody\r\n", "Title"],
    ["Title\nsecond line\n\nBody", "Title"],
    ["", "No commit message"],
    [" \n", "No commit message"],
    [`${"x".repeat(300)}\n`, "x".repeat(300)]
  ])("of %j is %j", (message, title) => {
    expect(titleOf(message)).toBe(title)
  })
})

describe("the message", () => {
  const id = "1".repeat(40)
  const message = " First commit\n\nIts body\nhas two lines\n\n"

  it("of a commit that was picked is that of the commit", () => {
    expect(cherryPickMessage({ id, message })).toBe(
      ` First commit\n\nIts body\nhas two lines\n\n(cherry picked from commit ${id})`
    )
  })

  it.each([
    [message, "First commit"],
    ["", "No commit message"]
  ])("of a commit that reverts %j has the title", (message, title) => {
    expect(revertMessage({ id, message })).toBe(`Revert "${title}"\n\nThis reverts commit ${id}`)
  })
})
