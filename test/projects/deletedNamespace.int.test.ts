import { Effect } from "effect"
import { expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { NamespaceMissing } from "#src/projects/errors.ts"
import { ProjectReadModel } from "#src/projects/ReadModel.ts"
import { RepositoryStorage } from "#src/projects/RepositoryStorage.ts"
import { defaultSettings } from "#src/projects/settings.ts"
import { createProject, transferProject } from "#src/projects/writes.ts"
import { settled } from "#test/support/settled.ts"
import { useProjects } from "./useProjects.ts"

const { eventTypes, newGroup, newProject, newUser, read, service } = useProjects()

const gone = (path: string) => Effect.promise(() => service.request("DELETE", path))

it.each(["group", "user"] as const)("a project whose %s is deleted while it is made goes too", async (kind) => {
  const isGroup = kind === "group"
  const id = isGroup ? await newGroup("short-lived") : (await newUser("short-lived-user")).id
  const namespaceId = isGroup
    ? id
    : Number(((await service.request("GET", `/users/${id}`)).body as { namespace_id: number }).namespace_id)
  const path = isGroup ? `/groups/${id}` : `/users/${id}`
  const wish = {
    namespaceId,
    creatorId: 1,
    ownerId: isGroup ? null : id,
    path: "late",
    defaultBranch: null,
    settings: defaultSettings("late"),
    forkedFrom: null,
    ceilings: []
  }
  const made = await service.run(
    Effect.gen(function* () {
      const storage = yield* RepositoryStorage
      let project = 0
      const create: typeof storage.create = (...asked) => {
        ;[project] = asked
        return Effect.andThen(gone(path), storage.create(...asked))
      }
      const refused = yield* createProject(wish).pipe(
        Effect.flip,
        Effect.provideService(RepositoryStorage, { ...storage, create })
      )
      expect(refused).toStrictEqual(new NamespaceMissing())
      return project
    })
  )
  expect((await eventTypes(made)).at(-1)).toBe("ProjectDeleted")
  expect(await service.run(Repositories.use((repositories) => repositories.exists(made)))).toBe(false)
})

it("a project stays where it is when the group to which it is transferred is deleted meanwhile", async () => {
  const [id, group] = [await newProject("staying"), await newGroup("vanishing")]
  const wish = { namespaceId: group, ownerId: null, highest: "public", by: 1 } as const
  const refused = await service.run(
    Effect.gen(function* () {
      const readModel = yield* ProjectReadModel
      const taken: typeof readModel.taken = (...asked) => Effect.andThen(gone(`/groups/${group}`), readModel.taken(...asked))
      return yield* transferProject(id, wish).pipe(Effect.flip, Effect.provideService(ProjectReadModel, { ...readModel, taken }))
    })
  )
  expect(refused).toStrictEqual(new NamespaceMissing())
  expect(await eventTypes(id)).toEqual(["ProjectCreated", "MemberAdded", "ProjectTransferred", "ProjectTransferred"])
  await service.run(settled)
  expect((await read(id)).body).toMatchObject({ path_with_namespace: "root/staying" })
  const { status } = await service.request("POST", "/projects", { json: { path: "staying" } })
  expect(status).toBe(400)
})
