import { describe, expect, it } from "vitest"
import { formatTree } from "#src/git/objects/treeObject.ts"
import { field } from "#test/support/exactly.ts"
import { wideTree } from "#test/support/git/treeBomb.ts"
import { answerOf, useService } from "#test/support/service.ts"
import { useEmptyCode } from "../useCode.ts"

const service = useService({ MAX_TREE_PATHS: "100", MAX_TREE_DEPTH: "4" })
const code = useEmptyCode(service, { path: "full" })

/** Moves a branch to a commit of a tree with 90 files, in the directory `wide`, and of nothing that this service has met; answers the commit. */
const fill = (branch: string): string => {
  const { fixture } = code()
  const entry = { mode: "40000", name: Buffer.from("wide"), id: wideTree(fixture, 90) }
  const commit = fixture.git(["commit-tree", "-m", "wide", fixture.object("tree", formatTree([entry]))])
  fixture.git(["update-ref", `refs/heads/${branch}`, commit])
  return commit
}
const tipOf = (branch: string) => code().fixture.git(["rev-parse", branch])

const create = (...paths: ReadonlyArray<string>) => paths.map((file_path) => ({ action: "create", file_path, content: "x" }))
const commit = (branch: string, actions: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  service.request("POST", `/projects/${code().id}/repository/commits`, {
    json: { branch, commit_message: "More", actions }
  })
const files = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`)

/** Ids of trees that were never written are nobody's concern. */
const told = async (answer: ReturnType<typeof commit>) => {
  const { body, status } = await answer
  return [status, String(field(body, "message")).replace(/[0-9a-f]{40}/, "<id>")]
}
const tooMany = (where: string) => [400, `${where} (tree <id>) expands to more than 100 paths (limit MAX_TREE_PATHS)`]

describe("a commit over the interface", () => {
  it("may fill a tree up to the limit, and then change, move and remove what is there", async () => {
    fill("fitting")
    expect((await commit("fitting", create(...files(9)))).status).toBe(201)
    expect(await told(commit("fitting", create("g")))).toEqual(tooMany("the root directory"))
    expect((await commit("fitting", [{ action: "update", file_path: "f0", content: "y" }])).status).toBe(201)
    expect((await commit("fitting", [{ action: "move", file_path: "g", previous_path: "f0" }])).status).toBe(201)
    expect((await commit("fitting", [{ action: "delete", file_path: "g" }])).status).toBe(201)
  })

  it("is refused where it adds too many paths, with the directory that has them", async () => {
    const before = fill("paths")
    expect(await told(commit("paths", create(...files(10))))).toEqual(tooMany("the root directory"))
    expect(await told(commit("paths", create(...files(11).map((name) => `wide/${name}`))))).toEqual(tooMany("directory wide"))
    const move = [{ action: "move", file_path: "a/b/c/d", previous_path: "wide/e000000" }]
    expect(await told(commit("paths", [...create(...files(7)), ...move]))).toEqual(tooMany("the root directory"))
    expect(tipOf("paths")).toBe(before)
  })

  it("is refused where a path has too many names", async () => {
    const before = fill("depth")
    const tooDeep = [400, { message: "path a/b/c/d/e has more than 4 names (limit MAX_TREE_DEPTH)" }]
    expect(answerOf(await commit("depth", create("a/b/c/d/e")))).toEqual(tooDeep)
    const file = await service.request("POST", `/projects/${code().id}/repository/files/a%2Fb%2Fc%2Fd%2Fe`, {
      json: { branch: "depth", commit_message: "More", content: "x" }
    })
    expect(answerOf(file)).toEqual(tooDeep)
    expect(tipOf("depth")).toBe(before)
  })

  it("of one file is refused alike", async () => {
    fill("file")
    expect((await commit("file", create(...files(9)))).status).toBe(201)
    const file = service.request("POST", `/projects/${code().id}/repository/files/more`, {
      json: { branch: "file", commit_message: "More", content: "x" }
    })
    expect(await told(file)).toEqual(tooMany("the root directory"))
  })

  it("that takes the change of another is refused alike", async () => {
    fill("picked")
    fill("onto")
    expect((await commit("picked", create(...files(9)))).status).toBe(201)
    expect((await commit("onto", create("own"))).status).toBe(201)
    const pick = service.request("POST", `/projects/${code().id}/repository/commits/${tipOf("picked")}/cherry_pick`, {
      json: { branch: "onto" }
    })
    expect(await told(pick)).toEqual(tooMany("the root directory"))
  })
})
