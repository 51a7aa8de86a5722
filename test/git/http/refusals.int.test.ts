import { execFileSync } from "node:child_process"
import { beforeEach, describe, expect, it } from "vitest"
import { type BranchRule, type PushPolicy, pushRefusals, type TagRule } from "#src/pushes/pushPolicy.ts"
import { refLines, succeed } from "./gitClient.ts"
import { everythingAllowed } from "./gitService.ts"
import { type Begun, useGitService } from "./useGitService.ts"

const { begin } = useGitService()
let service: Begun["service"]
let id = 0
let copy: Begun["copy"]
/** Each repository has `main`, `stable/1`, `topic` and the tag `v1` on the first commit. */
beforeEach(async () => {
  ;({ copy, id, service } = await begin())
  await copy.git("tag", "v1")
  await copy.git("push", "--quiet", "origin", "main", "main:stable/1", "main:topic", "v1")
  service.pushes.length = 0
})

const branch = (pattern: string, rule: Partial<BranchRule> = {}): BranchRule => ({
  pattern,
  mayPush: false,
  mayMerge: false,
  mayForce: false,
  mayDelete: false,
  ...rule
})
const tag = (pattern: string, rule: Partial<TagRule> = {}): TagRule => ({ pattern, mayCreate: false, mayDelete: false, ...rule })
const allow = (policy: Partial<PushPolicy>) => service.policies.set(`group/${id}`, { ...everythingAllowed, ...policy })
const refs = () => succeed(`--git-dir=${service.repository(id).path}`, "for-each-ref", "--format=%(objectname) %(refname)")
/** Refs that were recorded, by name. */
const recorded = () => service.pushes.flatMap(({ updates }) => updates.map(({ ref }) => ref)).sort()
const attempt = async (...args: ReadonlyArray<string>) => refLines(await copy.attempt("push", ...args))
const rejected = (what: string, text: string) => `! [remote rejected] ${what} (${text})`

describe("a protected branch", () => {
  it("is not pushed to, and other refs of the push move", async () => {
    allow({ branches: [branch("main"), branch("stable/*")] })
    const [old] = (await refs()).split(" ")
    const commit = await copy.commit()
    const lines = await attempt("origin", "main", "main:stable/1", "main:topic", "main:fresh")
    expect(lines.map((line) => line.replace(/^[0-9a-f.]+/, "ids")).sort()).toEqual([
      rejected("main -> main", pushRefusals.protectedBranch),
      rejected("main -> stable/1", pushRefusals.protectedBranch),
      "* [new branch] main -> fresh",
      "ids main -> topic"
    ])
    expect(recorded()).toEqual(["refs/heads/fresh", "refs/heads/topic"])
    expect((await refs()).split("\n")).toEqual([
      `${commit} refs/heads/fresh`,
      `${old} refs/heads/main`,
      `${old} refs/heads/stable/1`,
      `${commit} refs/heads/topic`,
      `${old} refs/tags/v1`
    ])
  })

  it("keeps nothing of a push that is refused as a whole", async () => {
    allow({ branches: [branch("main")] })
    const commit = await copy.commit()
    expect(await attempt("origin", "main")).toEqual([rejected("main -> main", pushRefusals.protectedBranch)])
    await expect(succeed(`--git-dir=${service.repository(id).path}`, "cat-file", "-e", commit)).rejects.toThrow()
  })

  it("holds back all of an atomic push", async () => {
    allow({ branches: [branch("main")] })
    await copy.commit()
    const before = await refs()
    const lines = await attempt("--atomic", "origin", "main", "main:topic")
    expect(lines).toEqual([
      rejected("main -> main", pushRefusals.protectedBranch),
      rejected("main -> topic", "atomic push failure")
    ])
    expect([await refs(), recorded()]).toEqual([before, []])
  })

  it("is refused in other words where the push would be forced", async () => {
    allow({ branches: [branch("main"), branch("topic", { mayForce: true })] })
    await copy.git("commit", "--amend", "--quiet", "-m", "Another")
    expect((await attempt("--force", "origin", "main", "main:topic")).sort()).toEqual([
      rejected("main -> main", pushRefusals.forceProtectedBranch),
      rejected("main -> topic", pushRefusals.protectedBranch)
    ])
  })

  it("keeps nothing of an atomic push", async () => {
    allow({ branches: [branch("main")] })
    const commit = await copy.commit()
    await copy.attempt("push", "--atomic", "origin", "main", "main:topic")
    await expect(succeed(`--git-dir=${service.repository(id).path}`, "cat-file", "-e", commit)).rejects.toThrow()
  })

  it("may be created by who may push, otherwise not", async () => {
    allow({ branches: [branch("new/a", { mayPush: true }), branch("new/b"), branch("new/c", { mayMerge: true })] })
    expect((await attempt("origin", "main:new/a", "main:new/b", "main:new/c")).sort()).toEqual([
      rejected("main -> new/b", pushRefusals.createProtectedBranch),
      rejected("main -> new/c", pushRefusals.createProtectedBranchByGit),
      "* [new branch] main -> new/a"
    ])
  })

  it("is only moved forward, unless force is allowed", async () => {
    allow({ branches: [branch("main", { mayPush: true }), branch("stable/*", { mayPush: true, mayForce: true })] })
    await copy.commit()
    expect(await attempt("origin", "main", "main:stable/1")).toHaveLength(2)
    await copy.git("commit", "--amend", "--quiet", "-m", "Another")
    await copy.commit()
    const lines = await attempt("--force", "origin", "main", "main:stable/1", "main:topic")
    expect(lines.map((line) => line.replace(/^\+? ?[0-9a-f]+\.+[0-9a-f]+/, "moved")).sort()).toEqual([
      rejected("main -> main", pushRefusals.forceProtectedBranch),
      "moved main -> stable/1 (forced update)",
      "moved main -> topic"
    ])
    await copy.git("fetch", "--quiet", "origin")
    await copy.git("merge", "--quiet", "--no-edit", "origin/main")
    expect(await attempt("origin", "main")).toEqual([expect.stringMatching(/^[0-9a-f]+\.\.[0-9a-f]+ main -> main$/)])
  })

  it("is not deleted by git", async () => {
    const rules = { branches: [branch("stable/*", { mayPush: true }), branch("topic", { mayPush: true, mayDelete: true })] }
    allow({ ...rules, isMaintainer: false })
    const text = (await copy.attempt("push", "origin", ":main", ":stable/1", ":topic")).stderr
    expect(text).toContain(`! [remote rejected] main (${pushRefusals.deleteDefaultBranch})`)
    expect(text).toContain(`! [remote rejected] stable/1 (${pushRefusals.deleteProtectedBranch})`)
    allow({ ...rules, isMaintainer: true })
    expect((await copy.attempt("push", "origin", ":stable/1")).stderr).toContain(
      `! [remote rejected] stable/1 (${pushRefusals.deleteProtectedBranchByGit})`
    )
    expect(recorded()).toEqual(["refs/heads/topic"])
  })
})

describe("a tag", () => {
  it("that is protected is made by some, changed by nobody", async () => {
    allow({ isMaintainer: false, tags: [tag("v*", { mayCreate: true }), tag("release-*")] })
    await copy.git("tag", "v2")
    await copy.git("tag", "release-1")
    await copy.commit()
    await copy.git("tag", "--force", "v1")
    expect((await attempt("--force", "origin", "--tags")).sort()).toEqual([
      rejected("release-1 -> release-1", pushRefusals.createProtectedTag),
      rejected("v1 -> v1", pushRefusals.updateProtectedTag),
      "* [new tag] v2 -> v2"
    ])
    expect((await copy.attempt("push", "origin", ":v1")).stderr).toContain(pushRefusals.deleteProtectedTag)
  })

  it("of others is changed by those who may", async () => {
    await copy.commit()
    await copy.git("tag", "--force", "v1")
    allow({ mayChangeTags: false })
    expect(await attempt("--force", "origin", "v1")).toEqual([rejected("v1 -> v1", pushRefusals.changeTags)])
    allow({})
    expect(await attempt("--force", "origin", "v1")).toEqual([expect.stringContaining("v1 -> v1 (forced update)")])
  })
})

describe("a ref", () => {
  it.each([
    "refs/merge-requests/1/head",
    "refs/internal/keep",
    "refs/keep-around/1",
    "refs/environments/production/deployments/1",
    "refs/pipelines/1"
  ])("of the service's own is refused: %s", async (ref) => {
    expect(await attempt("origin", `main:${ref}`)).toEqual([rejected(`main -> ${ref}`, pushRefusals.hidden)])
    expect(recorded()).toEqual([])
  })

  it("beside branches and tags is pushed, moved by force, removed and recorded like any", async () => {
    const refs = [
      "refs/meta/config",
      "refs/notes/semantic-release-v1",
      "refs/own/x",
      "refs/pull/1/head",
      "refs/remotes/origin/main"
    ]
    const push = (...args: ReadonlyArray<string>) => copy.attempt("push", "origin", ...args)
    expect((await push(...refs.map((ref) => `main:${ref}`))).status).toBe(0)
    expect(recorded()).toEqual(refs)
    await copy.git("commit", "--amend", "--quiet", "--message", "Other")
    expect((await push("--force", "main:refs/notes/semantic-release-v1", ":refs/own/x")).status).toBe(0)
    const { stdout } = await copy.attempt("ls-remote", "origin", ...refs)
    const listed = stdout.split("\n").slice(0, -1)
    expect(listed.map((line) => line.split("\t")[1])).toEqual(refs.filter((ref) => ref !== "refs/own/x"))
  })

  it.each([
    [`refs/heads/${"ab12".repeat(10)}`, pushRefusals.branchNamedAsCommit],
    ["refs/heads/HEAD", pushRefusals.branchName],
    ["refs/heads/-d", pushRefusals.branchName],
    ["refs/heads/refs/heads/main", pushRefusals.branchName],
    ["refs/heads/refs/remotes/origin/main", pushRefusals.branchName],
    [`refs/tags/${"ab12".repeat(10)}`, pushRefusals.tagNamedAsCommit],
    ["refs/tags/-d", pushRefusals.tagName],
    ["refs/tags/refs/heads/main", pushRefusals.tagName],
    ["refs/tags/refs/tags/v1", pushRefusals.tagName],
    ["refs/Heads/main", pushRefusals.refName],
    [`refs/notes/${"x".repeat(201)}`, pushRefusals.refName]
  ])("with a misleading name is refused: %s", async (ref, text) => {
    expect((await copy.attempt("push", "origin", `main:${ref}`)).stderr).toContain(`(${text})`)
    expect(recorded()).toEqual([])
  })

  it("may have any text as a name, but must have a text", async () => {
    const commit = await copy.git("rev-parse", "HEAD")
    const lines = Buffer.from(`create refs/heads/caf\u{e9} ${commit}\ncreate refs/heads/caf\u{fc} ${commit}\n`, "utf8")
    // The last one's letter as it was in Latin-1.
    const bytes = Buffer.from(lines.toString("latin1").replace("\u{c3}\u{bc}", "\u{fc}"), "latin1")
    execFileSync("git", ["-C", copy.path, "update-ref", "--stdin"], { input: bytes })
    const { status, stderr } = await copy.attempt("push", "origin", "refs/heads/caf*:refs/heads/caf*")
    expect([status, stderr.includes(`(${pushRefusals.branchName})`)]).toEqual([1, true])
    expect(recorded()).toEqual(["refs/heads/caf\u{e9}"])
  })

  it("moves for nobody who may not push", async () => {
    allow({ mayPush: false })
    await copy.commit()
    expect(await attempt("origin", "main:topic")).toEqual([rejected("main -> topic", pushRefusals.push)])
  })

  it("is a commit when it is a branch", async () => {
    const tree = await copy.git("rev-parse", "HEAD^{tree}")
    const lines = await attempt("origin", `${tree}:refs/heads/tree`)
    expect(lines).toEqual([expect.stringMatching(/^! \[remote rejected\] \S+ -> tree \(failed to update ref\)$/)])
    expect(recorded()).toEqual([])
  })
})
