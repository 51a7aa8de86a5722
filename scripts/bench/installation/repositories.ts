import { execFile } from "node:child_process"
import { linkSync, mkdirSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { ConfigProvider, Effect, Layer } from "effect"
import { AppConfig } from "#src/config.ts"
import { Repositories } from "#src/git/Repositories.ts"
import type { Repository } from "#src/git/Repository.ts"
import { git, gitEnvironment } from "../plainGit.ts"
import { isFilled, projects } from "./projects.ts"
import { numbers } from "./Story.ts"

const text = "# A tool\n"
const commit = `commit refs/heads/main
committer Ada <ada@example.com> 1700000000 +0000
data 11
First words
M 100644 inline README.md
data ${text.length}
${text}
done
`

/** Fills a repository with one commit, as maintenance leaves it. */
const fill = ({ path }: Repository) =>
  Effect.promise(async () => {
    const importing = promisify(execFile)("git", ["-C", path, "fast-import", "--quiet", "--done"], { env: gitEnvironment })
    importing.child.stdin?.end(commit)
    await importing
    await git(path, "commit-graph", "write", "--reachable", "--changed-paths", "--split", "--no-progress")
  })

/** Copies of a repository, of which no file is ever written to: git replaces files. */
const copyTo = async (template: string, targets: ReadonlyArray<string>): Promise<void> => {
  const entries = await readdir(template, { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) => ({
    isFolder: entry.isDirectory(),
    path: join(entry.parentPath, entry.name).slice(template.length)
  }))
  const [folders, files] = [paths.filter(({ isFolder }) => isFolder), paths.filter(({ isFolder }) => !isFolder)]
  // Outer folders have shorter paths.
  const ordered = folders.toSorted((one, other) => one.path.length - other.path.length)
  for (const target of targets) {
    mkdirSync(target, { recursive: true })
    for (const { path } of ordered) mkdirSync(target + path)
    for (const { path } of files) linkSync(template + path, target + path)
  }
}

/** Makes the repositories of all projects in `dataDir`; answers the commit of those that have one. */
export const makeRepositories = async (dataDir: string): Promise<string> => {
  const environment = ConfigProvider.layer(ConfigProvider.fromEnv({ env: { DATA_DIR: dataDir } }))
  const layer = Repositories.layer.pipe(Layer.provide(AppConfig.layer), Layer.provide(environment))
  const { create, of } = await Effect.runPromise(Effect.provide(Effect.service(Repositories), layer))
  const all = numbers(projects.first, projects.count)
  const [[first = 0, ...full], [bare = 0, ...empty]] = [all.filter(isFilled), all.filter((id) => !isFilled(id))]
  const template = await Effect.runPromise(create(first, "main", fill))
  const emptyTemplate = await Effect.runPromise(create(bare, "main"))
  const pathOf = (id: number) => of(id).path
  await copyTo(template.path, full.map(pathOf))
  await copyTo(emptyTemplate.path, empty.map(pathOf))
  return git(template.path, "rev-parse", "main")
}
