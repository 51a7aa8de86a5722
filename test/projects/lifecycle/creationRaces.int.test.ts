import { Effect } from "effect"
import { expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { uuidOf, uuidV7 } from "#src/kernel/uuid.ts"
import { CurrentRun, type RequestRun } from "#src/platform/CurrentRun.ts"
import { nextId } from "#src/platform/Ids.ts"
import { forkProject, type NewProject } from "#src/projects/lifecycle/writes.ts"
import { NamesTaken } from "#src/projects/names.ts"
import { RepositoryStorage } from "#src/projects/repository/RepositoryStorage.ts"
import { defaultSettings } from "#src/projects/settings/settings.ts"
import { field } from "#test/support/exactly.ts"
import { useProjects } from "../useProjects.ts"

const { newGroup, newProject, service } = useProjects()

let groups = 0
const newProjectFor = async (source: number): Promise<NewProject> => ({
  namespaceId: await newGroup(`race-${++groups}`),
  creatorId: 1,
  ownerId: null,
  path: "tool",
  defaultBranch: null,
  settings: defaultSettings("tool"),
  forkedFrom: source,
  ceilings: []
})

/** Projects of a group that have a repository. */
const projectsIn = async (group: number) => {
  const { body } = await service.request("GET", `/groups/${group}/projects`)
  const listed = Array.isArray(body) ? body.map((project) => Number(field(project, "id"))) : []
  const are = await service.run(Repositories.use(({ exists }) => Effect.forEach(listed, exists)))
  return listed.filter((_, index) => are[index])
}

/** Forks, does something else as soon as the copy begins, and answers why the fork fails. */
const forkDuring = <A>(input: NewProject, meanwhile: Effect.Effect<A>, copy: (storage: RepositoryStorage["Service"]) => Copy) =>
  Effect.gen(function* () {
    const storage = yield* RepositoryStorage
    const slow = RepositoryStorage.of({ ...storage, fork: (...args) => Effect.andThen(meanwhile, copy(storage)(...args)) })
    const forked = Effect.provideService(forkProject(input, input.forkedFrom ?? 0, null), RepositoryStorage, slow)
    return yield* Effect.flip(Effect.catchDefect(forked, (defect) => Effect.fail(defect)))
  })
type Copy = RepositoryStorage["Service"]["fork"]

it("of two projects of one name, the one whose repository takes longer is refused, and leaves nothing", async () => {
  const input = await newProjectFor(await newProject("slow"))
  let winner = 0
  const meanwhile = Effect.promise(async () => {
    winner = await newProject("tool", { namespace_id: input.namespaceId })
  })
  const error = await service.run(forkDuring(input, meanwhile, ({ fork }) => fork))
  expect(error).toStrictEqual(new NamesTaken({ attributes: ["name", "path"] }))
  expect(await projectsIn(input.namespaceId)).toStrictEqual([winner])
  expect(await service.run(Repositories.use(({ exists }) => exists(winner - 1)))).toBe(false)
})

it("a run that fails leaves what another run of the same request has completed", async () => {
  const input = await newProjectFor(await newProject("twice"))
  const [id, run] = [await service.run(nextId("project")), uuidV7()]
  const commandId = (stream: string) => uuidOf(`${run}/${stream}`)
  const shared: RequestRun = {
    isRepeat: true,
    remember: () => Effect.succeed(id),
    remembered: () => id,
    firstCommandId: commandId,
    nextCommandId: commandId
  }
  const error = await service.run(
    Effect.gen(function* () {
      const context = yield* Effect.context<Effect.Services<ReturnType<typeof forkProject>>>()
      const other = Effect.orDie(Effect.provide(forkProject(input, input.forkedFrom ?? 0, null), context))
      return yield* forkDuring(input, other, () => () => Effect.die("killed"))
    }).pipe(Effect.provideService(CurrentRun, shared))
  )
  expect(error).toBe("killed")
  expect(await projectsIn(input.namespaceId)).toStrictEqual([id])
})
