import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { Schema } from "effect"
import { measureAlone, type Row } from "../figures.ts"
import { git, gitEnvironment } from "../plainGit.ts"
import { withRunners } from "../runners.ts"
import { ask, rootToken, type Service } from "../service.ts"

const projects = 4
const [sources, targets] = [150, 10]

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`

/** Branches with a commit each, `topic-0` and so on, and some that are where `main` is, `base-0` and so on. */
const makeBranches = async (folder: string): Promise<void> => {
  await mkdir(folder)
  await git(folder, "init", "--quiet", "--bare", "--initial-branch=main")
  const importer = spawn("git", ["-C", folder, "fast-import", "--quiet"], {
    env: gitEnvironment,
    stdio: ["pipe", "ignore", "inherit"]
  })
  const commit = (ref: string, mark: number, file: string) =>
    `commit refs/heads/${ref}\nmark :${mark}\ncommitter A <a@example.com> ${1_700_000_000 + mark} +0000\n${data(`Add ${file}`)}${mark === 1 ? "" : "from :1\n"}M 100644 inline ${file}\n${data(file)}\n`
  importer.stdin.write(commit("main", 1, "README"))
  for (let index = 0; index < sources; index++) importer.stdin.write(commit(`topic-${index}`, index + 2, `file-${index}`))
  for (let index = 0; index < targets; index++) importer.stdin.write(`reset refs/heads/base-${index}\nfrom :1\n\n`)
  importer.stdin.end()
  await once(importer, "close")
}

const Project = Schema.Struct({ id: Schema.Int, path_with_namespace: Schema.String })

const makeProject = async (service: Service, source: string, index: number): Promise<number> => {
  const made = await ask(service, "POST", "/projects", { name: `creations-${index}` })
  const { id, path_with_namespace } = Schema.decodeUnknownSync(Project)(made)
  const remote = `http://root:${rootToken}@${new URL(service.url).host}/${path_with_namespace}.git`
  await git(source, "push", "--quiet", remote, "refs/heads/*:refs/heads/*")
  return id
}

/** Merge requests are opened, each with its version, its refs, and whether it can be merged. */
export const creationRows = async (service: Service, folder: string): Promise<ReadonlyArray<Row>> => {
  const source = join(folder, "branches.git")
  await makeBranches(source)
  const ids: Array<number> = []
  for (let index = 0; index < projects; index++) ids.push(await makeProject(service, source, index))
  return withRunners(async (start) => {
    const runner = await start("ours/creations.ts", service.url, String(sources), String(targets), ...ids.map(String))
    const figures = await measureAlone(runner, { parallel: 8, millis: 4_000, rounds: 3 })
    return [{ name: "merge requests opened and prepared, 8 callers", unit: "/s", ours: figures("rate"), target: { rate: 60 } }]
  })
}
