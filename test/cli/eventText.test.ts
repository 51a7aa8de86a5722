import { expect, it } from "vitest"
import { eventTexts } from "#src/cli/history/eventText.ts"

const named = { username: () => undefined, cause: () => undefined }
const metadata = { actor: "user:1", commandId: "c", correlationId: "c", requestId: "r" }

/** The lines of the fields of events with these data. */
const fieldsOf = (...events: ReadonlyArray<object>) => {
  const textOf = eventTexts()
  return events.map((data, revision) => {
    const event = {
      id: "e",
      stream: "s-1",
      type: "Changed",
      at: 0,
      position: revision,
      revision,
      hash: "",
      metadata,
      data,
      schemaVersion: 1
    }
    return textOf(event, named)
      .split("\n")
      .slice(1)
      .map((line) => line.trim())
  })
}

it("tells what was before as the event does, else as one before told it", () => {
  const [, , title, description] = fieldsOf(
    { title: "A", targetBranch: "main", description: "a" },
    // Of a version, not of what somebody set.
    { targetBranch: "stable", title: "of something else" },
    { changes: { title: "B", targetBranch: "next" }, before: { title: "A", targetBranch: "main" } },
    { changes: { description: "b" }, before: {} }
  )
  expect(title).toEqual(['title: "A" -> "B"', 'target_branch: "main" -> "next"'])
  expect(description).toEqual(['description: "a" -> "b"'])
})
