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
import { rootToken } from "#test/support/service.ts"
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

/** Where a branch was and went, one move after the other, as the log has it. */
const recorded = async (branch: string) => {
  const events = await service.run(
    Effect.flatMap(
      EventStore.use((store) => store.read(repositoryStream(id))),
      (past) => decodeAll(pushCodec, past)
    )
  )
  return events.flatMap(({ updates }) => updates).filter(({ ref }) => ref === `refs/heads/${branch}`)
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

const couldNot = { message: "Could not update branch main. Please refresh and try again." }

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
        if (received.status === 201) return [idOf(received)]
        expect([received.status, received.body]).toEqual([400, couldNot])
        return []
      })
      const round_ = (await Promise.all([...pushing, ...committing])).flat()
      expect(round_.length).toBeGreaterThan(0)
      done.push(...round_)
    }
    const kept = history("main")
    expect(done.filter((commit) => !kept.has(commit))).toEqual([])
    // Nothing but what was told got in: the first commit, and one for each success.
    expect(kept.size).toBe(done.length + 1)
  }, 60_000)

  it("are in the log in the order in which they happened", async () => {
    const moves = await recorded("main")
    expect(moves[0]?.before).toBeNull()
    expect(moves.slice(1).map(({ before }) => before)).toEqual(moves.slice(0, -1).map(({ after }) => after))
    expect(moves.at(-1)?.after).toBe(git("rev-parse", "main"))
  })

  it("of a branch that is being deleted, either the commit or the deletion is refused", async () => {
    for (let round = 0; round < 6; round++) {
      await post("/branches", { json: { branch: "short-lived", ref: "main" } })
      const json = { branch: "short-lived", commit_message: "Late", content: "" }
      const [committed, deleted] = await Promise.all([
        post(`/files/late-${round}`, { json }),
        service.request("DELETE", `/projects/${id}/repository/branches/short-lived`)
      ])
      const isThere = git("for-each-ref", "refs/heads/short-lived") !== ""
      // Deleted behind the commit, or in front of it; or what was seen had moved.
      expect([isThere, deleted.status]).toEqual(deleted.status === 204 ? [false, 204] : [true, 400])
      if (deleted.status !== 204) expect(committed.status).toBe(201)
      if (isThere) await service.request("DELETE", `/projects/${id}/repository/branches/short-lived`)
    }
  })

  it("of an empty repository make one first commit of a branch, which is protected", async () => {
    id = await newProject("begun-by-many")
    const fixture = gitFixture({ path: await repositoryPath(service, id) })
    git = (...args) => fixture.git(args)
    const all = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        post(`/files/file-${index}`, { json: { branch: "trunk", commit_message: "First", content: `${index}` } })
      )
    )
    const made = all.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(0)
    expect(git("rev-list", "--count", "trunk")).toBe(String(made.length))
    expect(git("rev-list", "--max-parents=0", "trunk").split("\n")).toHaveLength(1)
    expect((await service.request("GET", `/projects/${id}`)).body).toMatchObject({ default_branch: "trunk", empty_repo: false })
    expect((await service.request("GET", `/projects/${id}/protected_branches`)).body).toMatchObject([{ name: "trunk" }])
  })
})
