import { join } from "node:path"
import { ConfigProvider, Effect, Layer } from "effect"
import { AppConfig } from "#src/config.ts"
import { Repositories } from "#src/git/Repositories.ts"
import type { Databases } from "../database.ts"
import { writeHistory } from "../gitHistory.ts"
import { fill } from "../installation/fill.ts"
import type { Installation } from "../installation/makeInstallation.ts"
import { publicProject } from "../installation/publicProject.ts"
import { numbers, type Story } from "../installation/Story.ts"
import { userStories } from "../installation/users.ts"
import { git, gitLines } from "../plainGit.ts"
import { makeRandom } from "../random.ts"
import { projects } from "./facts.ts"
import { pipelineStories } from "./pipelineStories.ts"
import { scheduleStories } from "./scheduleStories.ts"

/** Makes a repository of 2,000 commits for each project: the ids of the commits, the oldest first. */
const makeRepositories = async (ids: ReadonlyArray<number>, { dataDir, folder }: { dataDir: string; folder: string }) => {
  const source = join(folder, "commits.git")
  await writeHistory(source, { commits: 2_000, files: 100, authors: 50, seed: 3 })
  const environment = ConfigProvider.layer(ConfigProvider.fromEnv({ env: { DATA_DIR: dataDir } }))
  const layer = Repositories.layer.pipe(Layer.provide(AppConfig.layer), Layer.provide(environment))
  const { create } = await Effect.runPromise(Effect.provide(Effect.service(Repositories), layer))
  for (const id of ids) {
    await Effect.runPromise(
      create(id, "main", ({ path }) => Effect.promise(() => git(path, "fetch", "--quiet", source, "main:main")))
    )
  }
  return gitLines(source, "rev-list", "--reverse", "main")
}

/** Makes an installation of 100,000 pipelines with 300,000 jobs, most of them in one project, and 10,000 schedules. */
export const makePipelines = async (databases: Databases, folder: string): Promise<Installation> => {
  const databaseUrl = await databases.migrated("pipelines_ours")
  const dataDir = join(folder, "pipelines")
  const ids = numbers(projects.large, projects.others + 1)
  const shas = await makeRepositories(ids, { dataDir, folder })
  await fill(databaseUrl, parts())
  return { databaseUrl, dataDir }

  function* parts(): Generator<ReadonlyArray<Story>> {
    yield userStories(makeRandom(1))
    yield ids.map(publicProject)
    yield* pipelineStories(shas)
    yield* scheduleStories()
  }
}
