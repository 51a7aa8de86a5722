import { describe, expect, it } from "vitest"
import { commitCommentsReadModel } from "#projections/commitComments/projection.ts"
import { ProjectEvent, projectCodec } from "#src/projects/events.ts"
import { CommitCommentEvent, commitCommentCodec } from "#src/repositories/comments/events.ts"
import { changesLine } from "#src/repositories/comments/line.ts"
import { commentedCommit, commentStream } from "#src/repositories/ids.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"

const sha = "0123456789abcdef0123456789abcdef01234567"
const { CommitCommented } = CommitCommentEvent.cases

const changesOf = changesIn(commitCommentsReadModel)

describe("projection", () => {
  const row = { project_id: 7, sha, position: recorded.position, note: "n", author_id: 3, created_at: recorded.at }
  it.each([
    [{ path: "a/b", number: 4, type: "old" } as const, { path: "a/b", line: 4, line_type: "old" }],
    [null, { path: null, line: null, line_type: null }]
  ])("of a comment on %j", (line, place) => {
    const stored = commitCommentCodec.encode(CommitCommented.make({ authorId: 3, note: "n", line }))
    expect(changesOf(stored, commentStream({ projectId: 7, sha }))).toEqual([
      { _tag: "Put", table: "comments", row: { ...row, ...place } }
    ])
    expect(changesOf(stored, "repository-7")).toEqual([])
  })

  it("a deleted project takes its comments along", () => {
    const deleted = projectCodec.encode(ProjectEvent.cases.ProjectDeleted.make({}))
    expect(changesOf(deleted, "project-7")).toEqual([{ _tag: "RemoveWhere", table: "comments", where: { project_id: 7 } }])
  })
})

it("a stream names its commit", () => {
  expect(commentedCommit(commentStream({ projectId: 7, sha }))).toEqual({ projectId: 7, sha })
  for (const other of [`commitComments-7-${sha.slice(1)}`, `commitComments-x-${sha}`, `xcommitComments-7-${sha}`]) {
    expect(commentedCommit(other)).toBeUndefined()
  }
})

describe("lines of a diff", () => {
  const text = [
    "@@ -2,4 +2,5 @@ heading",
    " two",
    "-three",
    "+drei",
    "+dreieinhalb",
    " four",
    " five",
    "@@ -20,2 +21 @@",
    "-twenty",
    " twenty-one",
    "\\ No newline at end of file",
    ""
  ].join("\n")
  const found = (type: "new" | "old") =>
    Array.from({ length: 30 }, (_, number) => number).filter((number) => changesLine(text, { number, type }))

  it("that are added or removed", () => {
    expect([found("new"), found("old")]).toEqual([
      [3, 4],
      [3, 20]
    ])
  })

  it("none of no diff", () => {
    expect(changesLine("", { number: 0, type: "new" })).toBe(false)
  })
})
