import { randomBytes } from "node:crypto"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { Schema } from "effect"
import { defined } from "#src/kernel/defined.ts"
import type { Databases } from "../database.ts"
import { evenly } from "../gitSamples.ts"
import { maintained, sourceRepository } from "../hostedRepository.ts"
import { fill as fillDatabase } from "../installation/fill.ts"
import { installationStories } from "../mergeRequests/stories.ts"
import { git, gitLines } from "../plainGit.ts"
import { ask, type Service, withService } from "../service.ts"
import type { Account, Hosted, Target } from "./Attack.ts"
import { makeCompanions } from "./companions.ts"
import { endpointRequests } from "./endpointRequests.ts"
import type { needsOf } from "./list.ts"
import { plantBomb, plantRefs, writeLong, writeRenames, writeSmall } from "./repositories.ts"
import { openRequests } from "./requestStage.ts"

/** An installation that is attacked, and started anew for each attack. */
export interface Stage {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly target: Omit<Target, "url">
  readonly innocent: { readonly account: Account; readonly project: Hosted; readonly scratch: string }
}

const Made = Schema.Struct({ id: Schema.Int })
const MadeToken = Schema.Struct({ token: Schema.String })
const MadeStatus = Schema.Struct({ id: Schema.Int, pipeline_id: Schema.Int })
const MadeProject = Schema.Struct({ id: Schema.Int, path_with_namespace: Schema.String })

const newAccount = async (service: Service, username: string): Promise<Account & { readonly id: number }> => {
  const password = randomBytes(18).toString("base64url")
  const user = { username, name: username, email: `${username}@example.com`, password, skip_confirmation: true }
  const { id } = Schema.decodeUnknownSync(Made)(await ask(service, "POST", "/users", user))
  const made = await ask(service, "POST", `/users/${id}/personal_access_tokens`, { name: "benchmark", scopes: ["api"] })
  return { id, username, password, token: Schema.decodeUnknownSync(MadeToken)(made).token }
}

const newProject = async (service: Service, ownerId: number, project: object): Promise<Hosted> => {
  const made = await ask(service, "POST", `/projects/user/${ownerId}`, { default_branch: "main", ...project })
  const { id, path_with_namespace } = Schema.decodeUnknownSync(MadeProject)(made)
  return { id, path: path_with_namespace }
}

/** The folder in which the service keeps the repository of a project. */
const storedAt = (dataDir: string, { id }: Hosted): string =>
  join(dataDir, "repositories", (id % 256).toString(16).padStart(2, "0"), `${id}.git`)

const remoteOf = ({ url }: Service, { token, username }: Account, { path }: Hosted): string =>
  `http://${username}:${token}@${new URL(url).host}/${path}.git`

/**
 * Pushes a history as the owner, and waits until the service has done what it does afterwards. A long one gets many branches and tags,
 * too.
 */
const fill = async (
  service: Service,
  { dataDir, owner, project }: { readonly dataDir: string; readonly owner: Account; readonly project: Hosted },
  source: string
): Promise<void> => {
  const remote = remoteOf(service, owner, project)
  const tip = await git(source, "rev-parse", "HEAD")
  const spread = evenly(await gitLines(source, "rev-list", "--first-parent", tip), 300)
  const refs = spread.flatMap((id, index) => [`${id}:refs/heads/feature-${index}`, `${id}:refs/tags/v${index}.0`])
  await git(source, "push", "--quiet", remote, `${tip}:refs/heads/main`, ...(spread.length < 100 ? [] : refs))
  await maintained(storedAt(dataDir, project), tip)
}

/** Commits from the first twelfth of the history with such from the last. */
const pairsOf = async (source: string) => {
  const all = evenly(await gitLines(source, "rev-list", "--first-parent", "HEAD"), 48)
  return [0, 1, 2, 3].map((place) => ({ from: all.at(-1 - place) ?? "", to: all[place] ?? "" }))
}

/** Statuses of services outside. */
const statuses = 100

/** Makes a pipeline of many jobs, all of services outside. */
const makePipeline = async (service: Service, { id }: Hosted, tip: string) => {
  const post = (index: number) =>
    ask(service, "POST", `/projects/${id}/statuses/${tip}`, { state: "success", name: `job-${index}`, ref: "main" })
  const made = Schema.decodeUnknownSync(MadeStatus)(await post(0))
  for (let index = 1; index < statuses; index++) await post(index)
  return { pipeline_id: made.pipeline_id, job_id: made.id }
}

/** Branches, and as many tags. */
const manyRefs = 20_000

/** Makes users, projects and repositories, on a service that is ended afterwards. */
export const makeStage = async (databases: Databases, folder: string, needs: ReturnType<typeof needsOf>): Promise<Stage> => {
  const [dataDir, sources] = [join(folder, "attacked"), join(folder, "attackers")]
  await mkdir(sources)
  const databaseUrl = await (needs.mergeRequests ? databases.migrated : databases.empty)("attacks_ours")
  if (needs.mergeRequests) await fillDatabase(databaseUrl, installationStories())
  const history = await sourceRepository(folder)
  const small = await writeSmall(join(sources, "small.git"))
  const renames = await writeRenames(join(sources, "renames.git"))
  const { folder: longSource, ...long } = await writeLong(join(sources, "long.git"))
  return withService({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir }, async (service) => {
    const attacker = await newAccount(service, "attacker")
    const owner = { dataDir, owner: attacker }
    const publicProject = (name: string) => newProject(service, attacker.id, { name, visibility: "public" })
    const target = {
      attacker,
      bomb: await publicProject("bomb"),
      renames: { ...(await publicProject("renames")), ...renames },
      history: { ...(await publicProject("history")), pairs: await pairsOf(history) },
      long: { ...(await publicProject("long")), ...long },
      pushes: await newProject(service, attacker.id, { name: "pushes", visibility: "private" })
    }
    const requests = await publicProject("requests")
    const remote = remoteOf(service, attacker, requests)
    const mergeRequests = needs.mergeRequests
      ? await openRequests(service, requests, remote, join(sources, "requests.git"))
      : undefined
    const account = await newAccount(service, "innocent")
    const project = await newProject(service, account.id, { name: "small" })
    await Promise.all([
      fill(service, { ...owner, project: target.bomb }, small),
      fill(service, { ...owner, project: target.renames }, renames.folder),
      fill(service, { ...owner, project: target.history }, history),
      fill(service, { ...owner, project: target.long }, longSource),
      fill(service, { dataDir, owner: account, project }, small)
    ])
    await plantBomb(storedAt(dataDir, target.bomb))
    await plantRefs(storedAt(dataDir, target.long), long.tip, manyRefs)
    const pipeline = await makePipeline(service, target.history, await git(history, "rev-parse", "HEAD"))
    const group = { name: "crowd", path: "crowd", visibility: "public" }
    const { id: groupId } = Schema.decodeUnknownSync(Made)(await ask(service, "POST", "/groups", group))
    const everything = async () => {
      const companions = await makeCompanions(service, target.history, groupId)
      const { history: hosted, long } = target
      return endpointRequests({ history: hosted, long, pipeline, attackerId: attacker.id, groupId, companions, source: history })
    }
    return {
      databaseUrl,
      dataDir,
      target: { ...target, ...defined({ mergeRequests }), requests: needs.everything ? await everything() : [] },
      innocent: { account, project, scratch: join(folder, "innocent") }
    }
  })
}
