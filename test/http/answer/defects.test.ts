import { Cause } from "effect"
import { describe, expect, it } from "vitest"
import { GitFailed } from "#src/git/Repository.ts"
import { defectError } from "#src/http/answer/defects.ts"

const told = (exceeded?: "output" | "space" | "time") => {
  const failure = new GitFailed({ command: "diff-tree a b", status: null, stderr: "why", ...(exceeded && { exceeded }) })
  const { body, headers = {}, status } = defectError(Cause.die(failure))
  return [status, body, headers]
}

describe("a failure of git that no handler foresaw", () => {
  it.each([
    ["time", "the answer takes longer than the service may take"],
    ["output", "the answer is larger than the service may make it"],
    ["space", "there is no space left for the answer"]
  ] as const)("beyond its limit of %s is told as such", (exceeded, reason) => {
    const message = `503 Service Unavailable - ${reason}`
    expect(told(exceeded)).toEqual([503, { message }, { "retry-after": "10" }])
  })

  it("of another kind is a fault", () => {
    expect(told()).toEqual([500, { message: "500 Internal Server Error" }, {}])
  })
})
