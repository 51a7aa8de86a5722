import { beforeAll, describe, expect, it } from "vitest"
import { answerOf } from "#test/support/service.ts"
import { action, commitTo, idOf, useCommits } from "./useCommits.ts"

const { change, developer, filesAt, git, newBranch, post, show } = useCommits("changes")

describe("cherry-pick and revert", () => {
  const sorry = (verb: string, done: string, error_code: string, more = {}) => [
    400,
    {
      message: `Sorry, we cannot ${verb} this commit automatically. This commit may already have been ${done}, or a more recent commit may have updated some of its content.`,
      error_code,
      ...more
    }
  ]
  let source = ""
  beforeAll(async () => {
    await newBranch("source")
    const made = await post({
      ...commitTo("source", action("create", "picked", { content: "p\n" })),
      commit_message: "Pick me\n\nPlease\n",
      author_name: "Ann",
      author_email: "ann@example.com"
    })
    source = idOf(made)
  })

  it("picks a commit", async () => {
    await newBranch("onto")
    const dry = await change("cherry_pick", source, { branch: "onto", dry_run: true })
    expect(answerOf(dry)).toEqual([200, { dry_run: "success" }])
    const before = git("rev-parse", "onto")
    expect(before).toBe(git("rev-parse", "main"))
    const received = await change("cherry_pick", "source", { branch: "onto" }, { token: developer().token })
    expect([received.status, received.body]).toMatchObject([
      201,
      {
        id: git("rev-parse", "onto"),
        parent_ids: [before],
        title: "Pick me",
        message: `Pick me\n\nPlease\n\n(cherry picked from commit ${source})`,
        author_name: "Ann",
        committer_name: "Dév Eloper"
      }
    ])
    expect(received.body).not.toHaveProperty("stats")
    expect(show("onto", "picked")).toBe("p")
    expect(answerOf(await change("cherry_pick", source, { branch: "onto" }))).toEqual(
      sorry("cherry-pick", "cherry-picked", "empty")
    )
    expect(answerOf(await change("cherry_pick", source, { branch: "onto", dry_run: true }))).toEqual(
      sorry("cherry-pick", "cherry-picked", "empty", { dry_run: "error" })
    )
  })

  it("takes another message", async () => {
    await newBranch("worded")
    expect((await change("cherry_pick", source, { branch: "worded", message: "Other\n" })).body).toMatchObject({
      message: "Other\n"
    })
  })

  it("refuses conflicts", async () => {
    await newBranch("clash")
    await post(commitTo("clash", action("create", "picked", { content: "other\n" })))
    expect(answerOf(await change("cherry_pick", source, { branch: "clash" }))).toEqual(
      sorry("cherry-pick", "cherry-picked", "conflict")
    )
  })

  it("reverts a commit", async () => {
    await newBranch("undone", "source")
    expect(answerOf(await change("revert", source, { branch: "undone", dry_run: true }))).toEqual([200, { dry_run: "success" }])
    const received = await change("revert", source, { branch: "undone" })
    expect([received.status, received.body]).toMatchObject([
      201,
      {
        id: git("rev-parse", "undone"),
        parent_ids: [source],
        message: `Revert "Pick me"\n\nThis reverts commit ${source}`,
        author_name: "Administrator",
        committer_name: "Administrator"
      }
    ])
    expect(filesAt("undone")).toEqual(filesAt(`${source}~1`))
    expect(answerOf(await change("revert", source, { branch: "undone" }))).toEqual(sorry("revert", "reverted", "empty"))
    await post(commitTo("undone", action("create", "picked", { content: "new\n" })))
    expect(answerOf(await change("revert", source, { branch: "undone" }))).toEqual(sorry("revert", "reverted", "conflict"))
  })

  it.each(["cherry_pick", "revert"])("%s judges the caller, the commit and the branch", async (what) => {
    expect(answerOf(await change(what, source, {}))).toEqual([400, { error: "branch is missing, branch is empty" }])
    expect(answerOf(await change(what, "nothing", { branch: "source" }))).toEqual([404, { message: "404 Commit Not Found" }])
    expect(answerOf(await change(what, source, { branch: "nothing" }))).toEqual([404, { message: "404 Branch Not Found" }])
    expect(answerOf(await change(what, source, { branch: "a b" }))).toEqual([400, { message: "The branch refname is invalid" }])
    expect(answerOf(await change(what, source, { branch: "main" }, { token: developer().token }))).toEqual([
      403,
      { message: "403 Forbidden - You are not allowed to push into this branch" }
    ])
  })
})
