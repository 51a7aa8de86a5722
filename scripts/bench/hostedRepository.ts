import { existsSync } from "node:fs"
import { appendFile, mkdir, readdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Schema } from "effect"
import { writeHistory } from "./gitHistory.ts"
import { git } from "./plainGit.ts"
import { ask, rootToken, type Service } from "./service.ts"

/** A repository whose branch `main` was pushed to the service. */
export interface HostedRepository {
  /** URL of the endpoints, up to `/repository`. */
  readonly api: string
  /** The URL for git over HTTP, as root. */
  readonly remote: string
  /** The folder in which the service keeps it. */
  readonly folder: string
  /** The id of the commit. */
  readonly tip: string
  /** Makes so many commits on `main` and pushes them. */
  readonly push: (commits: number) => Promise<void>
}

const Project = Schema.Struct({ id: Schema.Int, path_with_namespace: Schema.String })

/** The only repository in the data folder of a service. */
const onlyRepository = async (dataDir: string): Promise<string> => {
  const names = await readdir(join(dataDir, "repositories"), { recursive: true })
  const [name] = names.filter((path) => path.endsWith(".git"))
  if (name === undefined) throw new Error(`There is no repository in ${dataDir}`)
  return join(dataDir, "repositories", name)
}

/** The service maintains a repository some time after a push; counting its contributors comes last. */
export const maintained = async (folder: string, tip: string): Promise<void> => {
  const timeout = AbortSignal.timeout(600_000)
  const counted = join(folder, "contributors.v1", `${tip}.json`)
  while (!existsSync(counted)) await sleep(200, undefined, { signal: timeout })
}

/** A repository without objects of its own, from which new commits are pushed. */
const makePush = async (folder: string, { remote, source, tip }: { remote: string; source: string; tip: string }) => {
  await mkdir(folder)
  await git(folder, "init", "--quiet", "--bare", "--initial-branch=main")
  const objects = resolve(source, await git(source, "rev-parse", "--git-path", "objects"))
  await appendFile(join(folder, "objects", "info", "alternates"), `${objects}\n`)
  await git(folder, "update-ref", "refs/heads/main", tip)
  const commit = async (count: number): Promise<void> => {
    const [parent, tree] = (await git(folder, "show", "--no-patch", "--format=%H %T", "main")).split(" ")
    const who = ["-c", "user.name=Newcomer", "-c", "user.email=newcomer@example.com"]
    const made = await git(folder, ...who, "commit-tree", "-m", "Change nothing", "-p", parent ?? "", tree ?? "")
    await git(folder, "update-ref", "refs/heads/main", made)
    if (count > 1) await commit(count - 1)
  }
  return async (commits: number) => {
    await commit(commits)
    await git(folder, "push", "--quiet", remote, "main")
  }
}

/** Pushes the commit at `HEAD` of a repository to a new project, and waits until the service has done what it does afterwards. */
export const hostRepository = async (
  service: Service,
  { dataDir, folder, source }: { readonly dataDir: string; readonly folder: string; readonly source: string }
): Promise<HostedRepository> => {
  const made = await ask(service, "POST", "/projects", { name: "history", default_branch: "main" })
  const { id, path_with_namespace } = Schema.decodeUnknownSync(Project)(made)
  const { host } = new URL(service.url)
  const remote = `http://root:${rootToken}@${host}/${path_with_namespace}.git`
  const tip = await git(source, "rev-parse", "HEAD")
  await git(source, "push", "--quiet", remote, `${tip}:refs/heads/main`)
  const stored = await onlyRepository(dataDir)
  await maintained(stored, tip)
  return {
    api: `${service.url}/projects/${id}/repository`,
    remote,
    folder: stored,
    tip,
    push: await makePush(join(folder, "pushes.git"), { remote, source, tip })
  }
}

/** The repository at `BENCH_REPOSITORY`, or a generated one in a new folder. */
export const sourceRepository = async (folder: string): Promise<string> => {
  const given = process.env.BENCH_REPOSITORY
  if (given !== undefined) return resolve(given)
  const made = join(folder, "history.git")
  await writeHistory(made)
  return made
}
