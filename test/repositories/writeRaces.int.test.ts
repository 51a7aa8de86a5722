import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { decodeAll } from "#src/platform/eventStore/codec.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { pushCodec } from "#src/pushes/events.ts"
import { repositoryStream } from "#src/pushes/ids.ts"
import { field } from "#test/support/exactly.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { gitFixture } from "#test/support/git/gitFixtures.ts"
import type { Received, Sent } from "#test/support/service.ts"
import { answerOf, rootToken } from "#test/support/service.ts"
import { useProjects } from "../projects/useProjects.ts"
import { repositoryPath } from "./useCode.ts"

const { newProject, service } = useProjects()
const clones = ["one", "two", "three"] as const
let id = 0
let folder = ""
let git = (..._: ReadonlyArray<string>): string => ""
const post = (path: string, sent: Sent) => service.request("POST", `/projects/${id}/repository${path}`, sent)
const idOf = ({ body }: Received) => String(field(body, "id"))
const history = (branch: string) => new Set(git("rev-list", branch).split("\n"))
const work = async (clone: string, ...args: ReadonlyArray<string>) => {
  const ran = await gitClient(join(folder, clone), args)
  return ran.status === 0 ? ran.stdout.trim() : undefined
}

/** Where a ref was and went, one move after the other, as the log has it. */
const movesOf = async (name: string) => {
  const events = await service.run(
    Effect.flatMap(
      EventStore.use((store) => store.read(repositoryStream(id))),
      (past) => decodeAll(pushCodec, past)
    )
  )
  return events.flatMap(({ updates }) => updates).filter(({ ref }) => ref === name)
}

/** Expects that each move of a ref begins where the one before ended, and the last one where the repository has it. */
const expectChain = async (name: string) => {
  const moves = await movesOf(name)
  expect(moves[0]?.before).toBeNull()
  expect(moves.slice(1).map(({ before }) => before)).toEqual(moves.slice(0, -1).map(({ after }) => after))
  expect(moves.at(-1)?.after ?? "").toBe(git("for-each-ref", "--format=%(objectname)", name))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chronoforge-races-"))
  id = await newProject("raced")
  const fixture = gitFixture({ path: await repositoryPath(service, id) })
  git = (...args) => fixture.git(args)
  await post("/files/README.md", { json: { branch: "main", commit_message: "First", content: "# Hi\n" } })
  const url = `http://root:${rootToken}@${new URL(service.url).host}/root/raced.git`
  for (const clone of clones) await gitClient(folder, ["clone", "-q", url, clone])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Makes a commit on top of what is there now, and is ready to push it. */
const prepare = async (clone: string, round: number) => {
  await work(clone, "fetch", "-q", "origin")
  await work(clone, "reset", "-q", "--hard", "origin/main")
  await writeFile(join(folder, clone, `${clone}-${round}`), "pushed\n")
  await work(clone, "add", ".")
  await work(clone, "commit", "-q", "-m", `Push ${clone} ${round}`)
  return String(await work(clone, "rev-parse", "HEAD"))
}

describe("pushes and commits at the same moment", () => {
  it("lose nothing of what they said was done", async () => {
    const done: Array<string> = []
    for (let round = 0; round < 5; round++) {
      const made = await Promise.all(clones.map((clone) => prepare(clone, round)))
      const pushing = clones.map(async (clone, index) =>
        (await work(clone, "push", "-q", "origin", "main")) === undefined ? [] : [made[index] ?? ""]
      )
      const committing = Array.from({ length: 4 }, async (_, index) => {
        const actions = [{ action: "create", file_path: `api-${round}-${index}`, content: "committed\n" }]
        const received = await post("/commits", { json: { branch: "main", commit_message: "API", actions } })
        expect(received.status).toBe(201)
        return [idOf(received)]
      })
      const round_ = (await Promise.all([...pushing, ...committing])).flat()
      expect(round_.length).toBeGreaterThan(0)
      done.push(...round_)
    }
    const kept = history("main")
    expect(done.filter((commit) => !kept.has(commit))).toEqual([])
    // Nothing but what was told got in: the first commit, and one for each success.
    expect(kept.size).toBe(done.length + 1)
  })

  it("all land, whatever they do", async () => {
    const commit = async (name: string) => {
      const actions = [{ action: "create", file_path: name, content: "" }]
      return idOf(await post("/commits", { json: { branch: "main", commit_message: name, actions } }))
    }
    for (const name of ["updated", "deleted"]) await commit(name)
    const reverted = await commit("reverted")
    await post("/branches", { json: { branch: "side", ref: "main" } })
    const actions = [{ action: "create", file_path: "picked", content: "" }]
    const picked = idOf(await post("/commits", { json: { branch: "side", commit_message: "picked", actions } }))
    const before = git("rev-parse", "main")
    const file = (method: string, path: string) =>
      service.request(method, `/projects/${id}/repository/files/${path}`, {
        json: { branch: "main", commit_message: "m", ...(method === "DELETE" ? {} : { content: "new\n" }) }
      })
    const onMain = { json: { branch: "main" } }
    const all = await Promise.all([
      file("POST", "created"),
      file("PUT", "updated"),
      file("DELETE", "deleted"),
      post(`/commits/${picked}/cherry_pick`, onMain),
      post(`/commits/${reverted}/revert`, onMain),
      post("/changelog", { json: { version: "1.0.0", from: before, to: before } })
    ])
    expect(all.map(({ status }) => status)).toEqual([201, 200, 204, 201, 201, 200])
    expect(git("rev-list", "--count", `${before}..main`)).toBe("6")
    const changes = git("diff", "--name-status", "--no-renames", before, "main").split("\n").toSorted()
    expect(changes).toEqual(["A\tCHANGELOG.md", "A\tcreated", "A\tpicked", "D\tdeleted", "D\treverted", "M\tupdated"])
  })

  it("are in the log in the order in which they happened", async () => {
    await expectChain("refs/heads/main")
  })

  it("of a branch that is being deleted, the commit is refused or goes with it", async () => {
    for (let round = 0; round < 6; round++) {
      await post("/branches", { json: { branch: "short-lived", ref: "main" } })
      const json = { branch: "short-lived", commit_message: "Late", content: "" }
      const [committed, deleted] = await Promise.all([
        post(`/files/late-${round}`, { json }),
        service.request("DELETE", `/projects/${id}/repository/branches/short-lived`)
      ])
      const isThere = git("for-each-ref", "refs/heads/short-lived") !== ""
      // Behind the commit, or in front of it.
      expect([isThere, deleted.status]).toEqual([false, 204])
      if (committed.status !== 201) {
        const body = { message: "You can only create or edit files when you are on a branch" }
        expect(answerOf(committed)).toEqual([400, body])
      }
    }
  })

  /** Waits for so many small requests, so that what comes after it meets another moment of what goes on. */
  const pass = async (requests: number) => {
    for (let left = requests; left > 0; left--) await service.request("GET", "/version")
  }

  it("of a tag that is being deleted, a push moves it in front of that or makes it anew behind, or is refused", async () => {
    const remove = () => service.request("DELETE", `/projects/${id}/repository/tags/v1`)
    await work("one", "fetch", "-q", "origin")
    for (let round = 0; round < 8; round++) {
      await post("/tags", { json: { tag_name: "v1", ref: "main~1" } })
      const pushing = work("one", "push", "-q", "--force", "origin", "origin/main:refs/tags/v1")
      await pass(round * 4)
      const deleted = await Promise.all([remove(), remove()])
      const isPushed = (await pushing) !== undefined
      const statuses = deleted.map(({ status }) => status).toSorted()
      // Both find something to delete only where the push came between them.
      expect(statuses).toBeOneOf(
        isPushed
          ? [
              [204, 404],
              [204, 204]
            ]
          : [[204, 404]]
      )
      const moves = await movesOf("refs/tags/v1")
      expect(moves.slice(-3).some(({ after }) => after === git("rev-parse", "main"))).toBe(isPushed)
      await expectChain("refs/tags/v1")
      await remove()
      await post("/tags", { json: { tag_name: "v1", ref: "main~1" } })
      await remove()
    }
  })

  it("of a branch that is deleted as merged, the commit keeps the branch or is refused", async () => {
    for (let round = 0; round < 8; round++) {
      const branch = `merged-${round}`
      await post("/branches", { json: { branch, ref: "main~1" } })
      const committing = post(`/files/kept-${round}`, { json: { branch, commit_message: "Late", content: "" } })
      await pass(round * 4)
      const deleted = await service.request("DELETE", `/projects/${id}/repository/merged_branches`)
      const committed = await committing
      expect([deleted.status, committed.status]).toEqual([202, expect.toBeOneOf([201, 400])])
      const tip = git("for-each-ref", "--format=%(contents:subject)", `refs/heads/${branch}`)
      expect(tip).toBe(committed.status === 201 ? "Late" : "")
      await expectChain(`refs/heads/${branch}`)
    }
  })

  it("of an empty repository make one first commit of a branch, which is protected, and the others on it", async () => {
    id = await newProject("begun-by-many")
    const fixture = gitFixture({ path: await repositoryPath(service, id) })
    git = (...args) => fixture.git(args)
    const all = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        post(`/files/file-${index}`, { json: { branch: "trunk", commit_message: "First", content: `${index}` } })
      )
    )
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expect(git("rev-list", "--count", "trunk")).toBe("5")
    expect(git("rev-list", "--max-parents=0", "trunk").split("\n")).toHaveLength(1)
    expect((await service.request("GET", `/projects/${id}`)).body).toMatchObject({ default_branch: "trunk", empty_repo: false })
    expect((await service.request("GET", `/projects/${id}/protected_branches`)).body).toMatchObject([{ name: "trunk" }])
  })
})
