import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { RepositoryTasks } from "#src/git/RepositoryTasks.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { RecordedRefs } from "#src/pushes/RecordedRefs.ts"
import { type GitRun, gitClient } from "#test/support/git/gitClient.ts"
import { useProjects } from "../projects/useProjects.ts"

/** A running service, a repository to push from with a commit on `main`, and what became of pushes. */
export const usePushes = () => {
  const { addMember, newProject, newUser, service } = useProjects()
  let folder = ""
  const git = (...args: ReadonlyArray<string>): Promise<GitRun> => gitClient(folder, args)
  const work = (...args: ReadonlyArray<string>): Promise<GitRun> => gitClient(join(folder, "work"), args)
  /** URL of a project of root for somebody with a token as the password. */
  const urlFor = (token: string | undefined, path: string): string => {
    const { host } = new URL(service.url)
    return `http://${token === undefined ? "" : `somebody:${token}@`}${host}/root/${path}.git`
  }

  const commit = async (file: string, text: string): Promise<string> => {
    await writeFile(join(folder, "work", file), text)
    await work("add", ".")
    await work("commit", "-q", "-m", `Write ${file}`)
    return (await work("rev-parse", "HEAD")).stdout.trim()
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "chronoforge-git-"))
    await git("init", "-q", "-b", "main", "work")
    await commit("README.md", "# Demo\n")
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Types, actors and data of what was recorded of pushes. */
  const recorded = (id: number) =>
    service.run(
      Effect.map(
        EventStore.use((store) => store.read(`repository-${id}`)),
        (events) => events.map(({ data, metadata, type }) => [type, metadata.actor, data])
      )
    )
  const recordedRefs = (id: number) =>
    service.run(RecordedRefs.use((refs) => Effect.map(refs.of(id), (map) => Object.fromEntries(map))))
  const realRefs = async (id: number) => {
    const { path } = await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id))))
    const { stdout } = await git(`--git-dir=${path}`, "for-each-ref", "--format=%(refname) %(objectname)")
    return Object.fromEntries(
      stdout
        .split("\n")
        .slice(0, -1)
        .map((line) => line.split(" "))
    )
  }

  /** As every write does before refs may move. */
  const noteMoves = (id: number) =>
    service.run(
      Effect.gen(function* () {
        const { of } = yield* Repositories
        yield* RepositoryTasks.use((tasks) => tasks.scheduleRecord(of(id)))
      })
    )

  /** The folder above the work copy. */
  const place = () => folder
  return {
    addMember,
    commit,
    git,
    newProject,
    newUser,
    noteMoves,
    place,
    realRefs,
    recorded,
    recordedRefs,
    service,
    urlFor,
    work
  }
}
