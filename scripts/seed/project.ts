import type { Random } from "../bench/random.ts"
import { type Client, idOf } from "./client.ts"
import type { Person } from "./people.ts"

/** The project of the world, and who works on it. */
export interface World {
  readonly projectId: number
  readonly milestoneId: number
  readonly people: readonly [Person, ...ReadonlyArray<Person>]
  /** Those of them who may push to `main`. */
  readonly maintainers: World["people"]
  readonly random: Random
}

/** A file of the project, and what it says. */
export interface File {
  readonly path: string
  readonly content: string
  readonly action: "create" | "update"
}

/** Commits to a branch, which begins at `main` where it is new. */
export const commit = (
  by: Client,
  projectId: number,
  branch: string,
  message: string,
  files: ReadonlyArray<File>,
  isNew = false
) => {
  const actions = files.map(({ action, content, path }) => ({ action, content, file_path: path }))
  const start = isNew ? { start_branch: "main" } : {}
  return by.send("POST", `/projects/${projectId}/repository/commits`, { branch, commit_message: message, actions, ...start })
}

const modules = ["parser", "printer", "planner", "store", "cache", "client", "server", "scheduler"] as const
const verbs = ["Add", "Simplify", "Speed up", "Document", "Test", "Rename parts of", "Fix an edge case of"] as const

/** So many commits lie on `main` before anything is to be merged. */
export const commits = 60

/** A text of some lines that differs from commit to commit. */
export const sourceOf = (module: string, revision: number): string =>
  `${[
    `// ${module}, revision ${revision}`,
    ...Array.from({ length: 12 }, (_, line) => `export const ${module}${line} = ${line * revision}`)
  ].join("\n")}\n`

/** The commit with a number, from 0. */
export const commitToMain = async ({ maintainers, projectId, random }: World, number: number, written: Set<string>) => {
  const author = random.oneOf(...maintainers)
  const module = random.oneOf(...modules)
  const path = `src/${module}.ts`
  const action = written.has(path) ? "update" : "create"
  written.add(path)
  await commit(author, projectId, "main", `${random.oneOf(...verbs)} the ${module}`, [
    { path, content: sourceOf(module, number + 1), action }
  ])
}

/** Makes the project with a first file, and a milestone. */
export const makeProject = async (owner: Client, groupId: number): Promise<Pick<World, "projectId" | "milestoneId">> => {
  const projectId = idOf(
    await owner.send("POST", "/projects", { name: "Engine", path: "engine", namespace_id: groupId, initialize_with_readme: true })
  )
  const milestoneId = idOf(
    await owner.send("POST", `/projects/${projectId}/milestones`, { title: "1.0", due_date: "2030-01-31" })
  )
  return { projectId, milestoneId }
}
