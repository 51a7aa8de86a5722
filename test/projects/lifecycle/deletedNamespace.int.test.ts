import { Effect } from "effect"
import { expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { groupStream } from "#src/groups/ids.ts"
import { LocalAggregates } from "#src/platform/LocalAggregates.ts"
import { NamespaceMissing } from "#src/projects/errors.ts"
import { createProject, transferProject } from "#src/projects/lifecycle/writes.ts"
import { namesOf, releaseUnheld } from "#src/projects/names.ts"
import { ProjectQueries } from "#src/projects/Queries.ts"
import { RepositoryStorage } from "#src/projects/repository/RepositoryStorage.ts"
import { defaultSettings } from "#src/projects/settings/settings.ts"
import { forgetAnswer } from "#test/support/forgetAnswer.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { useProjects } from "../useProjects.ts"

const { eventTypes, newGroup, newProject, newUser, read, service } = useProjects()

const gone = (path: string) => Effect.promise(() => service.request("DELETE", path))

it.each(["group", "user"] as const)("a project whose %s is deleted while it is made goes too", async (kind) => {
  const isGroup = kind === "group"
  const id = isGroup ? await newGroup("short-lived") : (await newUser("short-lived-user")).id
  const namespaceId = isGroup
    ? id
    : Number(((await service.request("GET", `/users/${id}`)).body as { namespace_id: number }).namespace_id)
  const path = isGroup ? `/groups/${id}` : `/users/${id}`
  const input = {
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
      const refused = yield* createProject(input).pipe(
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

it.each(["create", "fork"] as const)("%s that is repeated after its group was deleted with it is refused", async (kind) => {
  const [source, path] = [await newProject(`source-of-${kind}`), `brief-${kind}`]
  const id = await newGroup(path)
  const [url, fields] =
    kind === "create"
      ? ["/projects", { name: "made", initialize_with_readme: true }]
      : [`/projects/${source}/fork`, { name: "made", path: "made" }]
  const send = () => service.request("POST", url, { json: { ...fields, namespace_id: id }, headers: { "idempotency-key": kind } })
  expect((await send()).status).toBe(201)
  await service.run(gone(`/groups/${id}`))
  await forgetAnswer(service, kind)
  const { body, status } = await send()
  expect([status, body]).toEqual(
    kind === "create"
      ? [400, { message: { namespace: ["is not valid"], limit_reached: [] } }]
      : [404, { message: "404 Target Namespace Not Found" }]
  )
})

it("a project stays where it is when the group to which it is transferred is deleted meanwhile", async () => {
  const [id, group] = [await newProject("staying"), await newGroup("vanishing")]
  const input = { namespaceId: group, ownerId: null, maxVisibility: "public", by: 1 } as const
  const refused = await service.run(
    Effect.gen(function* () {
      const queries = yield* ProjectQueries
      const taken: typeof queries.taken = (...asked) => Effect.andThen(gone(`/groups/${group}`), queries.taken(...asked))
      return yield* transferProject(id, input).pipe(Effect.flip, Effect.provideService(ProjectQueries, { ...queries, taken }))
    })
  )
  expect(refused).toStrictEqual(new NamespaceMissing())
  expect(await eventTypes(id)).toEqual(["ProjectCreated", "MemberAdded", "ProjectTransferred", "ProjectTransferred"])
  await service.run(settled)
  expect((await read(id)).body).toMatchObject({ path_with_namespace: "root/staying" })
  const { status } = await service.request("POST", "/projects", { json: { path: "staying" } })
  expect(status).toBe(400)
})

it("a project goes with the group to which it is transferred when something else has taken its place meanwhile", async () => {
  const [id, group] = [await newProject("overtaken"), await newGroup("engulfing")]
  const place = { namespaceId: 1, path: "overtaken", name: "overtaken" }
  const input = { namespaceId: group, ownerId: null, maxVisibility: "public", by: 1 } as const
  const takePlace = Effect.promise(async () => {
    await service.request("DELETE", `/groups/${group}`)
    await service.run(Effect.andThen(settled, releaseUnheld(namesOf(place), id)))
    await newProject("overtaken")
  })
  const refused = await service.run(
    Effect.gen(function* () {
      const aggregates = yield* LocalAggregates
      const load: typeof aggregates.load = (folding, stream) =>
        Effect.andThen(stream === groupStream(group) ? takePlace : Effect.void, aggregates.load(folding, stream))
      return yield* transferProject(id, input).pipe(Effect.flip, Effect.provideService(LocalAggregates, { ...aggregates, load }))
    })
  )
  expect(refused).toStrictEqual(new NamespaceMissing())
  expect((await eventTypes(id)).slice(2)).toEqual(["ProjectTransferred", "ProjectDeleted"])
  expect(await service.run(Repositories.use((repositories) => repositories.exists(id)))).toBe(false)
  expect((await read("root%2Fovertaken")).body).toMatchObject({ path: "overtaken" })
})
