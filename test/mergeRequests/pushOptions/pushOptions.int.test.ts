import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { rootToken } from "#test/support/service.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { type Person, useMergeRequests } from "../useMergeRequests.ts"

const { fork, member, newProject, pathOf, service } = useMergeRequests()
const { request } = service
const folder = temporaryFolder()

let [upstream, forked] = [0, 0]
let reporter: Person | undefined
const urlOf = (path: string, token: string) => `http://somebody:${token}@${new URL(service.url).host}/root/${path}.git`
const work = (...args: ReadonlyArray<string>) =>
  gitClient(join(folder(), "work"), ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args])

beforeAll(async () => {
  upstream = await newProject("up", { visibility: "public" })
  forked = await fork(upstream, "down")
  reporter = await member(upstream, "reporter", "pushing-reporter")
  await request("POST", `/projects/${upstream}/milestones`, { json: { title: "1.0" } })
  await request("POST", `/projects/${upstream}/repository/branches`, { json: { branch: "stable", ref: "main" } })
  await gitClient(folder(), ["clone", "-q", urlOf("up", rootToken), "work"])
})

interface Pushing {
  readonly to?: string
  readonly messages?: ReadonlyArray<string>
  readonly isDeletion?: true
}

/** Commits on a branch, which begins at `main`, and pushes it with these options: what the client was told, without blank lines. */
const push = async (
  branch: string,
  options: ReadonlyArray<string>,
  { isDeletion, messages = ["Change"], to = "up" }: Pushing = {}
) => {
  if ((await work("switch", "-q", branch)).status !== 0) await work("switch", "-q", "-c", branch, "origin/main")
  for (const message of messages) await work("commit", "-q", "--allow-empty", "-m", message)
  const sent = options.map((option) => `--push-option=${option}`)
  const { status, stderr } = await work(
    "push",
    "-q",
    ...sent,
    urlOf(to, rootToken),
    `${isDeletion ? "" : branch}:refs/heads/${branch}`
  )
  const lines = stderr.split("\n").flatMap((line) => /^remote: ?(.*?) *$/.exec(line)?.[1] || [])
  return { status, lines }
}

const shown = (branch: string, path: string, iid: number) => [
  `View merge request for ${branch}:`,
  `  ${service.url}/root/${path}/-/merge_requests/${iid}`
]
const read = async (iid: number) => (await request("GET", pathOf(upstream, iid))).body
const titleIn = (body: unknown) => [field(body, "title"), field(body, "description")]

describe("a push with options", () => {
  it("opens a merge request, which says what its only commit says", async () => {
    const told = await push("one", ["merge_request.create"], { messages: ["Mend the door\n\nIt was open.\n"] })
    expect(told).toEqual({ status: 0, lines: shown("one", "up", 1) })
    const made = await read(1)
    expect(made).toMatchObject({ source_branch: "one", target_branch: "main", state: "opened", author: { id: 1 } })
    expect(titleIn(made)).toEqual(["Mend the door", "It was open."])
  })

  it("opens one with all that is asked for", async () => {
    const options = [
      ...["create", "target=stable", "title=Two", "description=a\\n\\nb", "draft", "squash", "remove_source_branch"],
      ...["label=bug", "label=two words", "milestone=1.0", "assign=pushing-reporter", "assign=1"]
    ]
    const told = await push(
      "two",
      options.map((option) => `mr.${option}`)
    )
    expect(told).toEqual({ status: 0, lines: shown("two", "up", 2) })
    expect(await read(2)).toMatchObject({
      target_branch: "stable",
      title: "Draft: Two",
      description: "a\n\nb",
      draft: true,
      squash: true,
      force_remove_source_branch: true,
      labels: ["bug", "two words"],
      milestone: { title: "1.0" },
      assignees: [{ id: 1 }, { id: reporter?.id }]
    })
  })

  it("changes the one that is open", async () => {
    await push("three-times", ["mr.create", "mr.label=bug", "mr.assign=root"], { messages: ["First", "Second"] })
    expect(titleIn(await read(3))).toEqual(["Three times", null])
    const told = await push("three-times", [
      "mr.title=Other",
      "mr.unlabel=bug",
      "mr.label=done",
      "mr.unassign=root",
      "mr.target=stable"
    ])
    expect(told).toEqual({ status: 0, lines: shown("three-times", "up", 3) })
    expect(await read(3)).toMatchObject({ title: "Other", labels: ["done"], assignees: [], target_branch: "stable" })
    expect(await push("three-times", ["mr.draft", "mr.assign=1", "mr.milestone=1.0"])).toMatchObject({ status: 0 })
    expect(await read(3)).toMatchObject({ title: "Draft: Other", assignees: [{ id: 1 }], milestone: { title: "1.0" } })
    expect(await push("three-times", ["mr.unassign=1"])).toMatchObject({ status: 0 })
    expect(await read(3)).toMatchObject({ title: "Draft: Other", assignees: [], milestone: { title: "1.0" } })
  })

  it("from a fork is for what that is a fork of, unless it has them to itself", async () => {
    expect(await push("four", ["mr.create"], { to: "down" })).toEqual({ status: 0, lines: shown("four", "up", 4) })
    expect(await read(4)).toMatchObject({ source_project_id: forked, target_project_id: upstream })
    expect(await push("five", ["mr.create", "mr.target_project=root/down"], { to: "down" })).toEqual({
      status: 0,
      lines: shown("five", "down", 1)
    })
    await request("PUT", `/projects/${forked}`, { json: { mr_default_target_self: true } })
    expect((await push("six", ["mr.create"], { to: "down" })).lines).toEqual(shown("six", "down", 2))
    // What nobody else sees is not shown by a merge request into what everybody sees.
    await request("PUT", `/projects/${forked}`, { json: { mr_default_target_self: false, visibility: "private" } })
    expect((await push("hidden", ["mr.create"], { to: "down" })).lines).toEqual(shown("hidden", "down", 3))
  })

  it("moves its branches, and tells what cannot be done", async () => {
    const refused = async (branch: string, options: ReadonlyArray<string>, pushing: Pushing = {}) => {
      const { lines, status } = await push(branch, options, pushing)
      expect(status).toBe(0)
      return lines.map((line) => line.replace("Error encountered with push options: ", ""))
    }
    expect(await refused("seven", ["mr.create", "mr.target=nowhere"])).toEqual(["Branch nowhere does not exist"])
    expect(await refused("seven", ["mr.label=a"])).toEqual([
      "A merge_request.create push option is required to create a merge request for branch seven"
    ])
    expect(await refused("main", ["mr.create"])).toEqual(["You can't use same project/branch for source and target"])
    expect(await refused("seven", ["mr.create", "mr.target_project=root/none"])).toEqual(["404 Project Not Found"])
    expect(await refused("seven", ["mr.create", `mr.title=${"a".repeat(300)}`])).toEqual([
      "title is too long (maximum is 255 characters)"
    ])
    expect(await refused("eight", ["mr.create", "mr.auto_merge"])).toEqual([
      "The push option mr.auto_merge means nothing here.",
      ...shown("eight", "up", 5)
    ])
    expect(await refused("eight", ["mr.create"], { isDeletion: true })).toEqual([])
    const long = "x".repeat(65_000)
    const told = await refused("eight", ["mr.create", `mr.${long}`, `mr.target=${long}`])
    expect(told.map((line) => line.slice(0, 30))).toEqual(["The push option mr.xxxxxxxxxxx", "target_branch is invalid"])
    await request("PUT", pathOf(upstream, 5), { json: { state_event: "close" } })
    expect(await refused("eight", ["mr.create"])).toEqual(shown("eight", "up", 6))
    const many = Array.from({ length: 11 }, (_, index) => `HEAD:refs/heads/many-${index}`)
    const { stderr } = await work("push", "-q", "--push-option=mr.create", urlOf("up", rootToken), ...many)
    expect(stderr).toContain("Too many branches pushed (11 were pushed, limit is 10)")
    expect(field((await request("GET", `/projects/${upstream}/repository/branches/many-9`)).body, "name")).toBe("many-9")
  })
})
