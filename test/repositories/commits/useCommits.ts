import { beforeAll } from "vitest"
import { field } from "#test/support/exactly.ts"
import type { Received, Sent } from "#test/support/service.ts"
import { useProjects } from "../../projects/useProjects.ts"
import { useEmptyCode } from "../useCode.ts"

/** An action of a commit over the interface. */
export const action = (kind: string, file_path: string, more: Readonly<Record<string, unknown>> = {}) => ({
  action: kind,
  file_path,
  ...more
})
export const commitTo = (branch: string, ...actions: ReadonlyArray<unknown>) => ({ branch, commit_message: "Change", actions })
export const idOf = ({ body }: Received) => String(field(body, "id"))

/** A private project of root with a first commit on `main`, and a Developer of it; known from the first test on. */
export const useCommits = (path: string) => {
  const projects = useProjects()
  const { newUser, service } = projects
  const code = useEmptyCode(service, { path, settings: { visibility: "private" } })
  const ask = (method: string, below: string, json: unknown, sent: Sent = {}) =>
    service.request(method, `/projects/${code().id}/repository/${below}`, { json, ...sent })
  const post = (json: unknown, sent?: Sent) => ask("POST", "commits", json, sent)
  const git = (...args: ReadonlyArray<string>) => code().fixture.git(args)
  let developer = { id: 0, token: "" }
  beforeAll(async () => {
    developer = await newUser("dev", { name: "Dév Eloper" })
    await projects.addMember(`/projects/${code().id}`, developer.id, 30)
    const first = await post({
      ...commitTo("main", action("create", "README.md", { content: "# Hi\n" })),
      commit_message: "First"
    })
    if (first.status !== 201) throw new Error(JSON.stringify(first.body))
  })
  return {
    ...projects,
    id: () => code().id,
    developer: () => developer,
    git,
    /** Makes a commit. */
    post,
    newBranch: (branch: string, ref = "main") => ask("POST", "branches", { branch, ref }),
    /** Picks or reverts a commit. */
    change: (what: string, sha: string, json: unknown, sent?: Sent) =>
      ask("POST", `commits/${encodeURIComponent(sha)}/${what}`, json, sent),
    show: (revision: string, file: string) => git("show", `${revision}:${file}`),
    filesAt: (revision: string) => git("ls-tree", "-r", "--name-only", revision).split("\n").filter(Boolean)
  }
}
