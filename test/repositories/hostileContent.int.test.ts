import { existsSync, rmSync } from "node:fs"
import { beforeAll, describe, expect, it } from "vitest"
import type { Sent } from "#test/support/service.ts"
import { useProjects } from "../projects/useProjects.ts"
import { useEmptyCode } from "./useCode.ts"

const { service } = useProjects()
const trap = "/tmp/chronoforge-content-owned"
const code = useEmptyCode(service, { path: "hostile" })
const git = (...args: ReadonlyArray<string>) => code().fixture.git(args)

const texts = [
  `--output=${trap}`,
  `--upload-pack=touch ${trap}`,
  `$(touch ${trap})`,
  `\`touch ${trap}\``,
  `; touch ${trap} #`,
  `| touch ${trap}`,
  "-n1",
  "--",
  "--all",
  "../..",
  "../../etc/passwd",
  "main..v1",
  "^main",
  "main^{/x}",
  "main@{1}",
  "@{-1}",
  "@",
  ":a",
  "main:a",
  ":(top)a",
  "HEAD:",
  "a\nb",
  "\r\n\r\nGET / HTTP/1.1",
  "a\tb",
  "\u007f",
  "a".repeat(4097),
  "a/".repeat(2100),
  "é".repeat(2049),
  "%00",
  "%2e%2e%2f",
  "//",
  "refs/internal/keep",
  "refs/heads/",
  ".git/config",
  ".git",
  "main~999999999999",
  "0".repeat(40),
  "\\..\\..",
  "constructor",
  "__proto__",
  "\ud800",
  "{}",
  "*",
  "[]"
]

const actions = (more: object) => ({
  json: { branch: "work", commit_message: "m", actions: [{ action: "create", file_path: "x", content: "", ...more }] }
})
/** Links repeat it three times, and the client reads no headers of more than 16 KiB. */
const short = (text: string) => text.slice(0, 500)
const inPath = (text: string) => {
  // What cannot be encoded cannot be in a path.
  const whole = text.isWellFormed() ? text : "x"
  return encodeURIComponent(whole).replaceAll(".", "%2E").slice(0, 6000)
}
const file = { branch: "work", commit_message: "m", content: "" }

/** Each place that takes a name, a revision, a path or a text. */
const places: Readonly<Record<string, (text: string) => readonly [method: string, path: string, sent?: Sent]>> = {
  "search of branches": (search) => ["GET", "branches", { query: { search: short(search) } }],
  "expression of branches": (regex) => ["GET", "branches", { query: { regex } }],
  "branch read": (name) => ["GET", `branches/${inPath(name)}`],
  "branch made": (branch) => ["POST", "branches", { json: { branch, ref: "nothing" } }],
  "start of a branch": (ref) => ["POST", "branches", { json: { branch: "made", ref } }],
  "branch deleted": (name) => ["DELETE", `branches/${inPath(`${name}x`)}`],
  "branch protected": (name) => ["PUT", `branches/${inPath(`${name}x`)}/protect`],
  "search of tags": (search) => ["GET", "tags", { query: { search: short(search) } }],
  "tag read": (name) => ["GET", `tags/${inPath(name)}`],
  "tag made": (tag_name) => ["POST", "tags", { json: { tag_name, ref: "nothing" } }],
  "start of a tag": (ref) => ["POST", "tags", { json: { tag_name: "made", ref } }],
  "tag deleted": (name) => ["DELETE", `tags/${inPath(name)}`],
  "start of commits": (ref_name) => ["GET", "commits", { query: { ref_name } }],
  "path of commits": (path) => ["GET", "commits", { query: { path } }],
  "author of commits": (author) => ["GET", "commits", { query: { author } }],
  "commit read": (sha) => ["GET", `commits/${inPath(sha)}`],
  "diff of a commit": (sha) => ["GET", `commits/${inPath(sha)}/diff`],
  "refs of a commit": (sha) => ["GET", `commits/${inPath(sha)}/refs`],
  "sequence of a commit": (sha) => ["GET", `commits/${inPath(sha)}/sequence`],
  "comments on a commit": (sha) => ["GET", `commits/${inPath(sha)}/comments`],
  "signature of a commit": (sha) => ["GET", `commits/${inPath(sha)}/signature`],
  "statuses of a commit": (sha) => ["GET", `commits/${inPath(sha)}/statuses`, { query: { ref: short(sha), name: short(sha) } }],
  "text of a comment": (note) => ["POST", "commits/main/comments", { json: { note } }],
  "path of a comment": (path) => ["POST", "commits/main/comments", { json: { note: "n", path, line: 1 } }],
  "range of commits": (text) => ["GET", "commits", { query: { ref_name: `${text}..main` } }],
  "path of an action": (file_path) => ["POST", "commits", actions({ file_path })],
  "moved path of an action": (previous_path) => ["POST", "commits", actions({ action: "move", previous_path })],
  "last commit of an action": (last_commit_id) => ["POST", "commits", actions({ action: "delete", last_commit_id })],
  "branch of a commit": (branch) => ["POST", "commits", { json: { branch, commit_message: "m", actions: [] } }],
  "start branch of a commit": (start_branch) => [
    "POST",
    "commits",
    { json: { ...file, branch: "made", start_branch, actions: [] } }
  ],
  "start commit of a commit": (start_sha) => ["POST", "commits", { json: { ...file, branch: "made", start_sha, actions: [] } }],
  "start project of a commit": (start_project) => ["POST", "commits", { json: { ...file, start_project, actions: [] } }],
  "commit picked": (sha) => ["POST", `commits/${inPath(sha)}/cherry_pick`, { json: { branch: "work" } }],
  "branch of a pick": (branch) => ["POST", "commits/main/cherry_pick", { json: { branch: `${branch}x` } }],
  "file read": (path) => ["GET", `files/${inPath(path)}`, { query: { ref: "main" } }],
  "file read raw": (path) => ["GET", `files/${inPath(path)}/raw`],
  "file blamed": (path) => ["GET", `files/${inPath(path)}/blame`, { query: { ref: "main" } }],
  "revision of a file": (ref) => ["GET", "files/a", { query: { ref } }],
  "file deleted": (path) => ["DELETE", `files/${inPath(path)}`, { json: file }],
  "file made": (path) => ["POST", `files/${inPath(path)}`, { json: file }]
}

beforeAll(async () => {
  rmSync(trap, { force: true })
  const json = { branch: "main", commit_message: "m", actions: [{ action: "create", file_path: "a", content: "a\n" }] }
  await service.request("POST", `/projects/${code().id}/repository/commits`, { json })
  await service.request("POST", `/projects/${code().id}/repository/branches`, { json: { branch: "work", ref: "main" } })
  git("update-ref", "refs/internal/keep", git("commit-tree", "-m", "hidden", "main^{tree}"))
})

describe("every text in every place", () => {
  it.each(Object.entries(places))("%s", async (place, requestOf) => {
    const failed: Array<unknown> = []
    for (const text of texts) {
      const [method, path, sent] = requestOf(text)
      const { body, status } = await service.request(method, `/projects/${code().id}/repository/${path}`, sent)
      if (status >= 500) failed.push([place, text.slice(0, 60), status, body])
    }
    expect(failed).toEqual([])
  })

  it("ran nothing, and left a sound repository behind", () => {
    expect(existsSync(trap)).toBe(false)
    expect(git("rev-parse", "refs/heads/main~0")).toMatch(/^[0-9a-f]{40}$/)
    expect(git("for-each-ref", "--format=%(refname)", "refs/heads/main", "refs/internal")).toBe(
      "refs/heads/main\nrefs/internal/keep"
    )
    expect(() => git("fsck", "--strict", "--no-dangling")).not.toThrow()
    const names = git("ls-tree", "-r", "-z", "--name-only", "work").split("\0")
    expect(names.filter((name) => name.split("/").some((part) => part === ".." || part === ".git"))).toEqual([])
  })
})
