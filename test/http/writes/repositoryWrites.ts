import { field } from "#test/support/exactly.ts"
import type { TestService } from "#test/support/service.ts"
import { makers, type Writes } from "./Write.ts"

const commitTo = (branch: string, ...actions: ReadonlyArray<object>) => ({ branch, commit_message: "Change", actions })

/** Of repositories. */
export const repositoryWrites = (service: TestService, run: number): Writes => {
  const { newProject } = makers(service, run)
  /** A project with one commit on `main`; answers the path of its repository, and the id of the commit. */
  const repository = async (name: string) => {
    const path = `/projects/${await newProject(name)}/repository`
    const json = { ...commitTo("main", { action: "create", file_path: "a", content: "a\n" }), commit_message: "First" }
    return { path, first: String(field((await service.request("POST", `${path}/commits`, { json })).body, "id")) }
  }
  const branchOf = async (name: string) => {
    const { path } = await repository(name)
    await service.request("POST", `${path}/branches`, { json: { branch: "topic", ref: "main" } })
    return `${path}/branches/topic`
  }
  /** How many commits the branch has. */
  const hasCommits = (path: string, count: number) => async () => {
    const { body } = await service.request("GET", `${path}/commits/main/sequence`)
    return field(body, "count") === count
  }
  const fileWrite = async (name: string, file: string, more: object) => {
    const { path } = await repository(name)
    const sent = { json: { branch: "main", commit_message: "m", ...more } }
    return { path: `${path}/files/${file}`, sent, works: hasCommits(path, 2) }
  }
  const changeOf = async (name: string, what: string) => {
    const { path } = await repository(name)
    await service.request("POST", `${path}/branches`, { json: { branch: "topic", ref: "main" } })
    const json = commitTo("topic", { action: "create", file_path: "b", content: "b\n" })
    const { body } = await service.request("POST", `${path}/commits`, { json })
    if (what === "revert") await service.request("POST", `${path}/commits/topic/cherry_pick`, { json: { branch: "main" } })
    const sent = { json: { branch: "main" } }
    return { path: `${path}/commits/${field(body, "id")}/${what}`, sent, works: hasCommits(path, what === "revert" ? 3 : 2) }
  }

  return {
    "repositories.createBranch": async () => {
      const { path } = await repository("branching")
      return { path: `${path}/branches`, sent: { json: { branch: "new", ref: "main" } } }
    },
    "repositories.deleteBranch": async () => ({ path: await branchOf("pruning") }),
    "repositories.deleteMergedBranches": async () => ({ path: `${(await repository("sweeping")).path}/merged_branches` }),
    "repositories.protectBranch": async () => ({
      path: `${await branchOf("shielding")}/protect`,
      sent: { json: { developers_can_push: true } }
    }),
    "repositories.unprotectBranch": async () => {
      const path = await branchOf("unshielding")
      await service.request("PUT", `${path}/protect`)
      return { path: `${path}/unprotect` }
    },
    "repositories.createTag": async () => {
      const { path } = await repository("naming")
      return { path: `${path}/tags`, sent: { json: { tag_name: "v1", ref: "main", message: "One" } } }
    },
    "repositories.deleteTag": async () => {
      const { path } = await repository("unnaming")
      await service.request("POST", `${path}/tags`, { json: { tag_name: "v1", ref: "main" } })
      return { path: `${path}/tags/v1` }
    },
    "repositories.commentCommit": async () => {
      const { path } = await repository("commenting")
      return { path: `${path}/commits/main/comments`, sent: { json: { note: "Nice" } } }
    },
    "repositories.createCommit": async () => {
      const { path } = await repository("committing")
      const json = commitTo("main", { action: "create", file_path: "b", content: "b\n" })
      return { path: `${path}/commits`, sent: { json }, works: hasCommits(path, 2) }
    },
    "repositories.cherryPick": () => changeOf("picking", "cherry_pick"),
    "repositories.revert": () => changeOf("reverting", "revert"),
    "repositories.commitChangelog": async () => {
      const { first, path } = await repository("logging")
      return { path: `${path}/changelog`, sent: { json: { version: "1.0.0", from: first } }, works: hasCommits(path, 2) }
    },
    "repositories.createFile": () => fileWrite("filing", "b", { content: "b\n" }),
    "repositories.updateFile": () => fileWrite("refiling", "a", { content: "b\n" }),
    "repositories.deleteFile": () => fileWrite("unfiling", "a", {})
  }
}
