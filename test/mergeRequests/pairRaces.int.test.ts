import { expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { iidOf, useMergeRequests } from "./useMergeRequests.ts"

const { commit, get, newProject, open, put, service } = useMergeRequests()
const { request } = service

const targets = ["main", "t2"] as const
const taken = (iid: number) => ({
  message: [`Another open merge request already exists for this source branch: !${iid}`]
})

/** Changes a merge request in all these ways at once; then twins are tried for each of its target branches. */
const race = async (changes: ReadonlyArray<object>) => {
  const id = await newProject(`pair-race-${crypto.randomUUID()}`)
  await request("POST", `/projects/${id}/repository/branches`, { query: { branch: "t2", ref: "main" } })
  for (let round = 0; round < 6; round++) {
    const source_branch = `topic-${round}`
    await commit(id, source_branch, { [source_branch]: "a\n" })
    const iid = iidOf(await open(id, { source_branch }))
    const answers = await Promise.all(changes.map((change) => put(id, iid, change)))
    const now = (await get(id, iid)).body
    const told = JSON.stringify([answers.map(({ status }) => status), field(now, "state"), field(now, "target_branch")])
    for (const target_branch of targets) {
      const isHeld = field(now, "state") === "opened" && field(now, "target_branch") === target_branch
      const { body, status } = await open(id, { source_branch, target_branch })
      const expected = isHeld ? [409, taken(iid)] : [201, expect.objectContaining({ target_branch })]
      expect([told, target_branch, status, body]).toEqual([told, target_branch, ...expected])
    }
  }
}

const [close, reopen] = [{ state_event: "close" }, { state_event: "reopen" }]

it("only one is open for its branches, whatever closes and opens it again at once", { timeout: 60_000 }, () =>
  race([close, reopen])
)

it("only one is open for its branches, whatever gives it other ones at once", { timeout: 60_000 }, () =>
  race([{ target_branch: "t2" }, { target_branch: "main" }])
)

it("branches are free that nothing is open for, whatever was done at once", { timeout: 60_000 }, () =>
  race([close, reopen, { target_branch: "t2", state_event: "reopen" }])
)

it("only one is open for its branches, whatever opens it again and retargets it at once", { timeout: 60_000 }, () =>
  race([close, reopen, { target_branch: "t2" }, { target_branch: "main" }])
)
