import { expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { until } from "#test/support/until.ts"
import { useInstallation } from "./useInstallation.ts"

const { request, run } = useInstallation()

const commit = (branch: string, file_path: string, start_branch?: string) =>
  request("POST", "/projects/1/repository/commits", {
    json: { branch, commit_message: "Change", actions: [{ action: "create", file_path, content: "a\n" }], start_branch }
  })

/** The lines of a history without times, numbers of requests, and what differs from run to run. */
const told = (text: string) =>
  text.split("\n").map((line) =>
    line
      .replace(/^\d\S+ {2}/, "")
      .replace(/ {2}request .*$/, "  request")
      .replaceAll(/[0-9a-f]{40}/g, "<sha>")
  )

it("tells every change of a merge request: who, through what, what it was and is", async () => {
  await request("POST", "/groups", { json: { name: "Tools", path: "tools" } })
  await request("POST", "/projects", { json: { name: "demo", namespace_id: 2 } })
  await commit("main", "a")
  await commit("topic", "b", "main")
  const requests = "/projects/1/merge_requests"
  const json = { title: "Add b", source_branch: "topic", target_branch: "main", assignee_ids: [1] }
  await request("POST", requests, { json })
  await commit("other", "o", "main")
  const { body: other } = await request("POST", requests, {
    json: { title: "Other", source_branch: "other", target_branch: "main" }
  })
  const { body: block } = await request("POST", `${requests}/1/blocks`, {
    json: { blocking_merge_request_id: field(other, "id") }
  })
  await request("POST", `${requests}/1/context_commits`, { json: { commits: ["other"] } })
  const { body: thread } = await request("POST", `${requests}/1/discussions`, { json: { body: "Why?" } })
  await request("POST", `${requests}/1/award_emoji`, { json: { name: "thumbsup" } })
  await request("PUT", `${requests}/1`, { json: { title: "Add a b", assignee_ids: [] } })
  await request("DELETE", `${requests}/1/blocks/${field(block, "id")}`)
  await commit("topic", "c")
  await until(async () => {
    const { body } = await request("GET", `${requests}/1`)
    return field(body, "changes_count") === "2" && field(body, "merge_status") === "can_be_merged"
  })
  await request("PUT", `${requests}/1/merge`)
  await request("POST", `${requests}/1/discussions/${field(thread, "id")}/notes`, { json: { body: "Why not?" } })
  const [firstNote] = [field(thread, "notes")].flat()
  await request("PUT", `${requests}/1/discussions/${field(thread, "id")}/notes/${field(firstNote, "id")}`, {
    json: { body: "Why so?" }
  })
  const { code, stdout } = await run("history", "merge-request", "tools/demo!1")
  expect(code).toBe(0)
  const lines = told(stdout)
  // What it would close is found out beside the rest, at any time.
  const events = lines.flatMap((line) => /^\d+ {2}((?!IssuesToCloseFound).*)/.exec(line)?.[1] ?? [])
  // The request prepares what it opens, unless a reactor was faster.
  const preparation = (type: string): unknown => expect.stringMatching(`^${type}  (user:1 @root  request|system:merge-requests)$`)
  expect(events).toEqual([
    "MergeRequestOpened  user:1 @root  request",
    ...["VersionAdded", "MergeabilityChecked", "MergeRequestPrepared"].map(preparation),
    "MergeRequestBlocked  user:1 @root  request",
    "ContextCommitsAdded  user:1 @root  request",
    "DiscussionStarted  user:1 @root  request",
    "NoteAdded  user:1 @root  request",
    "NoteChanged  user:1 @root  request",
    "EmojiAwarded  user:1 @root  request",
    "MergeRequestChanged  user:1 @root  request",
    "MergeRequestUnblocked  user:1 @root  request",
    "MergeabilityOutdated  system:merge-requests  because of RefsUpdated 3 of repository-1 by user:1 @root",
    "VersionAdded  system:merge-requests",
    "MergeabilityChecked  system:merge-requests",
    "MergePlanned  user:1 @root  request",
    "MergeRequestMerged  user:1 @root  request"
  ])
  expect(lines).toEqual(
    expect.arrayContaining([
      "    author_id: @root",
      '    source_branch: "topic"',
      "    assignee_ids: [@root]",
      '    title: "Add b" -> "Add a b"',
      '    body: "Why?" -> "Why so?"',
      "    assignee_ids: [@root] -> []",
      '    merge_commit_sha: "<sha>"'
    ])
  )
  const numbered = await run("history", "--json", "merge-request", "tools/demo", "1")
  const stored = numbered.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  expect(stored.find(({ type }) => type === "MergeRequestChanged")).toMatchObject({
    stream: "mergeRequest-1-1",
    data: { changes: { title: "Add a b", assigneeIds: [] } }
  })
})

it("names a pipeline by its project, and what is not there", async () => {
  await request("POST", "/projects/1/repository/files/.gitlab-ci.yml", {
    json: { branch: "ci", start_branch: "main", commit_message: "Make", content: "a:\n  script: make\n" }
  })
  const { body } = await request("POST", "/projects/1/pipeline", { json: { ref: "ci" } })
  const { stdout } = await run("history", "pipeline", "tools/demo", `${field(body, "id")}`)
  expect(told(stdout)[0]).toBe("0  PipelineCreated  user:1 @root  request")
  const failures = await Promise.all(
    [
      ["merge-request", "tools/demo!0"],
      ["merge-request", "tools/nothing!1"],
      ["merge-request", "tools/demo!9"],
      ["pipeline", "tools/demo 99"],
      ["mergeRequest-1-9"]
    ].map(async (words) => (await run("history", ...words)).stderr.trim().split("\n")[1]?.trim())
  )
  expect(failures).toEqual([
    "There is no merge request !0 in tools/demo",
    "There is no project tools/nothing",
    "There is no merge request !9 in tools/demo",
    "There is no pipeline 99 in tools/demo",
    "There is no stream mergeRequest-1-9, did you mean mergeRequest-1-1, mergeRequest-1-2 or mergeRequestBlocks-1-1?"
  ])
  const wrong: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
    [["schedule"], "schedule as group/project ID"],
    [["pipeline", "tools/demo"], "pipeline as group/project ID"],
    [["merge-request"], "merge request as group/project!number"],
    [["merge-request", "tools/demo"], "merge request as group/project!number"],
    [["merge-request", "tools/demo x"], "merge request as group/project!number"]
  ]
  for (const [words, how] of wrong) {
    const { code, stderr } = await run("history", ...words)
    expect([code, stderr.trim().split("\n")[1]?.trim()]).toEqual([2, `Name the ${how}`])
  }
})
