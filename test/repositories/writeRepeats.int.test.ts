import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { repositoryStream } from "#src/pushes/ids.ts"
import { reconcile } from "#src/pushes/reconcile.ts"
import { field } from "#test/support/exactly.ts"
import { forgetAnswer } from "#test/support/forgetAnswer.ts"
import { answerOf, type Sent } from "#test/support/service.ts"
import { useProjects } from "../projects/useProjects.ts"
import { useEmptyCode } from "./useCode.ts"

const { service } = useProjects()
const code = useEmptyCode(service, { path: "repeats" })
const git = (...args: ReadonlyArray<string>) => code().fixture.git(args)
const under = (path: string) => `/projects/${code().id}/repository${path}`
const moves = () =>
  service.run(EventStore.use((store) => Effect.map(store.read(repositoryStream(code().id)), (events) => events.length)))

const commitTo = (branch: string, file_path: string) => ({
  json: { branch, commit_message: `Add ${file_path}`, actions: [{ action: "create", file_path, content: "x\n" }] }
})
const send = (method: string, path: string, sent: Sent, key: string) =>
  service.request(method, under(path), { ...sent, headers: { "idempotency-key": key } })

beforeAll(() => service.request("POST", under("/commits"), commitTo("main", "first")))

describe("a repeat of what a crash cut short", () => {
  it("finds its commit, although the branch has moved on", async () => {
    const first = await send("POST", "/commits", commitTo("main", "a"), "moved-on")
    await service.request("POST", under("/commits"), commitTo("main", "later"))
    await forgetAnswer(service, "moved-on")
    const before = git("rev-parse", "main")
    expect(answerOf(await send("POST", "/commits", commitTo("main", "a"), "moved-on"))).toEqual(answerOf(first))
    expect(git("rev-parse", "main")).toBe(before)
  })

  it("finds its commit, although one with an earlier time waited for it", async () => {
    const sent = commitTo("main", "waited-for")
    const first = await send("POST", "/commits", sent, "waited-for")
    const seconds = Number(git("show", "--no-patch", "--format=%ct", "main"))
    const tree = git("rev-parse", "main^{tree}")
    const earlier = `committer A <a@example.com> ${seconds - 1} +0000`
    const commit = `tree ${tree}\nparent ${git("rev-parse", "main")}\nauthor${earlier.slice("committer".length)}\n${earlier}\n\nLate\n`
    git("update-ref", "refs/heads/main", code().fixture.object("commit", commit))
    await service.run(reconcile)
    await forgetAnswer(service, "waited-for")
    const before = git("rev-parse", "main")
    expect(answerOf(await send("POST", "/commits", sent, "waited-for"))).toEqual(answerOf(first))
    expect(git("rev-parse", "main")).toBe(before)
  })

  it("finds its commit, although that was not recorded by it", async () => {
    const sent = commitTo("main", "b")
    const before = git("rev-parse", "main")
    const first = await send("POST", "/commits", sent, "unrecorded")
    // As if the process had died between the move and its record: another run records it.
    git("update-ref", "refs/heads/main", before)
    await service.run(reconcile)
    git("update-ref", "refs/heads/main", String(field(first.body, "id")))
    await service.run(reconcile)
    await forgetAnswer(service, "unrecorded")
    const recorded = await moves()
    expect(answerOf(await send("POST", "/commits", sent, "unrecorded"))).toEqual(answerOf(first))
    expect([git("rev-list", "--count", `${before}..main`), await moves()]).toEqual(["1", recorded])
  })

  it("makes the commit that was never reached by the branch", async () => {
    const sent = commitTo("main", "c")
    const before = git("rev-parse", "main")
    const first = await send("POST", "/commits", sent, "unmoved")
    git("update-ref", "refs/heads/main", before)
    await service.run(reconcile)
    await forgetAnswer(service, "unmoved")
    const second = await send("POST", "/commits", sent, "unmoved")
    expect(answerOf(second)).toEqual(answerOf(first))
    expect(git("rev-list", "--count", `${before}..main`)).toBe("1")
  })

  it("does not take the same commit of somebody else's request for its own", async () => {
    const update = (content: string) => ({ json: { branch: "main", commit_message: "Update", content } })
    const one = await send("PUT", "/files/first", update("1"), "one")
    await forgetAnswer(service, "one")
    const other = await send("PUT", "/files/first", update("2"), "two")
    const tip = git("rev-parse", "main")
    expect(answerOf(await send("PUT", "/files/first", update("1"), "one"))).toEqual(answerOf(one))
    expect([other.status, git("rev-parse", "main"), git("show", "main:first")]).toEqual([200, tip, "2"])
  })

  it("of a refused request is refused again, and carried out once it can be", async () => {
    const sent = { json: { branch: "late", ref: "later-branch" } }
    const refused = [400, { message: "Failed to create branch 'late': invalid reference name 'later-branch'" }]
    expect(answerOf(await send("POST", "/branches", sent, "late"))).toEqual(refused)
    await service.request("POST", under("/branches"), { json: { branch: "later-branch", ref: "main" } })
    expect((await send("POST", "/branches", sent, "late")).status).toBe(201)
    const taken = { json: { branch: "main", ref: "main" } }
    for (let run = 0; run < 2; run++) {
      expect(answerOf(await send("POST", "/branches", taken, "taken"))).toEqual([400, { message: "Branch already exists" }])
    }
  })

  it("of a commit that cannot be is refused again", async () => {
    const sent = commitTo("main", "first")
    for (let run = 0; run < 2; run++) {
      expect(answerOf(await send("POST", "/commits", sent, "exists"))).toEqual([
        400,
        { message: "A file with this name already exists" }
      ])
    }
  })

  it("makes no second tag, and no second comment", async () => {
    const tag = { json: { tag_name: "v1", ref: "main", message: "One" } }
    const tagged = await send("POST", "/tags", tag, "tag")
    await forgetAnswer(service, "tag")
    const [target, recorded] = [git("rev-parse", "refs/tags/v1"), await moves()]
    expect(answerOf(await send("POST", "/tags", tag, "tag"))).toEqual(answerOf(tagged))
    expect([git("rev-parse", "refs/tags/v1"), await moves()]).toEqual([target, recorded])
    const comment = { json: { note: "Once" } }
    const commented = await send("POST", "/commits/v1/comments", comment, "comment")
    await forgetAnswer(service, "comment")
    expect(answerOf(await send("POST", "/commits/v1/comments", comment, "comment"))).toEqual(answerOf(commented))
    expect((await service.request("GET", under("/commits/v1/comments"))).body).toEqual([commented.body])
  })

  it("deletes no second time", async () => {
    await service.request("POST", under("/branches"), { json: { branch: "gone", ref: "main" } })
    expect((await send("DELETE", "/branches/gone", {}, "gone")).status).toBe(204)
    await forgetAnswer(service, "gone")
    expect((await send("DELETE", "/branches/gone", {}, "gone")).status).toBe(204)
    expect((await service.request("DELETE", under("/branches/gone"))).status).toBe(404)
  })

  it("notes the README of a new default branch", async () => {
    await service.request("POST", under("/branches"), { json: { branch: "next", ref: "main" } })
    const readme = { action: "create", file_path: "README.md", content: "x" }
    await service.request("POST", under("/commits"), {
      json: { branch: "readme", start_branch: "main", commit_message: "m", actions: [readme] }
    })
    const choose = async () =>
      (
        await service.request("PUT", `/projects/${code().id}`, {
          json: { default_branch: "next" },
          headers: { "idempotency-key": "choose" }
        })
      ).body
    expect(field(await choose(), "readme_url")).toBeNull()
    await forgetAnswer(service, "choose")
    // As if the process had died before it looked for one.
    git("update-ref", "refs/heads/next", "refs/heads/readme")
    expect(field(await choose(), "readme_url")).toMatch(/\/-\/blob\/next\/README\.md$/)
  })
})
