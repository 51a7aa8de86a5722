import { join } from "node:path"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { handle, record } from "#src/platform/Commands.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { projectAggregate } from "#src/projects/aggregate.ts"
import { changeProject, createProject } from "#src/projects/lifecycle/writes.ts"
import { RepositoryStorage } from "#src/projects/repository/RepositoryStorage.ts"
import { defaultSettings } from "#src/projects/settings/settings.ts"
import { appendRefs } from "#src/pushes/appendRefs.ts"
import { PushEvent, pushCodec } from "#src/pushes/events.ts"
import { repositoryStream } from "#src/pushes/ids.ts"
import { loggedRefs } from "#src/pushes/loggedRefs.ts"
import { Reconciliation } from "#src/pushes/Reconciliation.ts"
import { reconcile } from "#src/pushes/reconcile.ts"
import { field } from "#test/support/exactly.ts"
import { holdProjects } from "#test/support/people/holdUsers.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { rootToken } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"
import { usePushes } from "./usePushes.ts"

const { commit, git, newProject, noteMoves, place, realRefs, recorded, recordedRefs, service, urlFor, work } = usePushes()

beforeAll(() => commit("second", "2"))

/** Runs while the log takes no events. */
const withoutLog = async <A>(use: () => Promise<A>): Promise<A> => {
  const change = (statement: string) => service.run(Sql.use(({ client }) => query(() => client.unsafe(statement))))
  await change(`create function chronoforge.refuse() returns trigger language plpgsql as $$ begin raise 'no log'; end $$;
    create trigger refuse before insert on chronoforge.events execute function chronoforge.refuse()`)
  return use().finally(() => change("drop function chronoforge.refuse cascade"))
}

describe("refs that moved without being recorded", () => {
  it("are recorded at the next start", async () => {
    const id = await newProject("unrecorded")
    await work("push", "-q", urlFor(rootToken, "unrecorded"), "main", "main:kept", "main:lost")
    const { path } = await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id))))
    const moved = (await work("rev-parse", "main~1")).stdout.trim()
    await noteMoves(id)
    await git(`--git-dir=${path}`, "update-ref", "refs/heads/main", moved)
    await git(`--git-dir=${path}`, "update-ref", "-d", "refs/heads/lost")
    await git(`--git-dir=${path}`, "update-ref", "refs/notes/commits", moved)
    const before = (await recorded(id)).length
    await service.run(reconcile)
    expect(await recordedRefs(id)).toEqual(await realRefs(id))
    expect((await recorded(id)).slice(before)).toEqual([
      [
        "RefsUpdated",
        "system:reconcile",
        {
          updates: [
            { ref: "refs/heads/lost", before: expect.any(String), after: null },
            { ref: "refs/heads/main", before: expect.any(String), after: moved },
            { ref: "refs/notes/commits", before: null, after: moved }
          ],
          options: []
        }
      ]
    ])
    await service.run(reconcile)
    expect((await recorded(id)).length).toBe(before + 1)
  })

  it("are not recorded behind what came in meanwhile, such as a late record of the same", async () => {
    const id = await newProject("overtaken")
    await work("push", "-q", urlFor(rootToken, "overtaken"), "main")
    const before = await recorded(id)
    const updates = Object.entries(await realRefs(id)).map(([ref, after]) => ({ ref, before: null, after: String(after) }))
    const exit = await service.run(Effect.exit(appendRefs(id, { updates, options: [] }, "noStream")))
    expect([String(exit), await recorded(id)]).toEqual([expect.stringContaining("WrongExpectedRevision"), before])
  })

  it("are recorded of a project that read models do not know yet", async () => {
    const release = await holdProjects(service)
    const input = {
      namespaceId: 1,
      creatorId: 1,
      ownerId: 1,
      path: "unknown",
      defaultBranch: null,
      forkedFrom: null,
      ceilings: []
    }
    const { id } = await service.run(createProject({ ...input, settings: defaultSettings("unknown") })).catch(async (error) => {
      await release()
      throw error
    })
    const { path } = await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id))))
    await git(`--git-dir=${path}`, "fetch", "-q", join(place(), "work"), "main:main")
    await service.run(Reconciliation.use((reconciliation) => reconciliation.schedule(id)))
    await until(async () => (await recorded(id)).length > 0).finally(release)
    expect(await recorded(id)).toEqual([
      [
        "RefsUpdated",
        "system:reconcile",
        { updates: [{ ref: "refs/heads/main", before: null, after: (await realRefs(id))["refs/heads/main"] }], options: [] }
      ]
    ])
  })

  it("are compared with all that was recorded, however much that is", async () => {
    const [project, ids] = [1_000_000, Array.from({ length: 250 }, (_, index) => String(index).padStart(40, "0"))]
    const updates = ids.map((after, index) => ({ ref: `refs/tags/${index % 3}`, before: ids[index - 3] ?? null, after }))
    const events = updates.map((update) => PushEvent.cases.RefsUpdated.make({ updates: [update], options: [] }))
    await service.run(record(pushCodec, repositoryStream(project), events))
    const refs = new Map([0, 1, 2].map((tag) => [`refs/tags/${tag}`, ids.findLast((_, index) => index % 3 === tag)]))
    expect(await service.run(loggedRefs(project))).toEqual({ refs, revision: 249 })
    expect(await service.run(loggedRefs(project + 1))).toEqual({ refs: new Map(), revision: "noStream" })
  })

  it("are recorded by the running service once the log takes events again", async () => {
    const [pushed, written] = [await newProject("log-away"), await newProject("log-away-too")]
    await work("push", "-q", urlFor(rootToken, "log-away-too"), "main")
    const file = { branch: "main", content: "x", commit_message: "m" }
    const texts = await withoutLog(async () => [
      (await work("push", urlFor(rootToken, "log-away"), "main")).stderr,
      (await service.request("POST", `/projects/${written}/repository/files/x.txt`, { json: file })).status
    ])
    expect(texts).toEqual([expect.stringContaining("(moved, but the service could not record it"), 500])
    const main = (await work("rev-parse", "main")).stdout.trim()
    await until(async () => (await recorded(pushed)).length > 0 && (await recorded(written)).length > 1)
    const updates = [{ ref: "refs/heads/main", before: null, after: main }]
    expect(await recorded(pushed)).toEqual([["RefsUpdated", "system:reconcile", { updates, options: [] }]])
    const { "refs/heads/main": after } = await realRefs(written)
    expect((await recorded(written)).slice(1)).toEqual([
      ["RefsUpdated", "system:reconcile", { updates: [{ ref: "refs/heads/main", before: main, after }], options: [] }]
    ])
    const shown = { default_branch: "main", empty_repo: false, readme_url: expect.stringContaining("/README.md") }
    await expect.poll(async () => (await service.request("GET", `/projects/${pushed}`)).body).toMatchObject(shown)
  })
})

it("a start while the log takes nothing goes on to record what moved", async () => {
  const id = await newProject("log-away-at-start")
  await work("push", "-q", urlFor(rootToken, "log-away-at-start"), "main")
  const { path } = await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id))))
  await noteMoves(id)
  await git(`--git-dir=${path}`, "branch", "unrecorded", "main")
  await withoutLog(() => service.run(reconcile))
  await expect.poll(() => recordedRefs(id)).toEqual(await realRefs(id))
})

describe("a default branch and HEAD that differ", () => {
  it("are the same after the next start: what the log has", async () => {
    const id = await newProject("two-heads")
    await work("push", "-q", urlFor(rootToken, "two-heads"), "main", "main:next")
    const { path } = await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id))))
    await noteMoves(id)
    await git(`--git-dir=${path}`, "symbolic-ref", "HEAD", "refs/heads/next")
    await service.run(reconcile)
    const head = async () => (await git(`--git-dir=${path}`, "symbolic-ref", "HEAD")).stdout
    const shown = async () => (await service.request("GET", `/projects/${id}`)).body
    expect([await head(), await shown()]).toEqual(["refs/heads/main\n", expect.objectContaining({ default_branch: "main" })])
    const changed = await withoutLog(() => service.request("PUT", `/projects/${id}`, { json: { default_branch: "next" } }))
    expect([changed.status, await head()]).toEqual([500, "refs/heads/main\n"])
  })

  it("are the same as soon as HEAD can be set", async () => {
    const id = await newProject("stuck-head")
    await work("push", "-q", urlFor(rootToken, "stuck-head"), "main", "main:next")
    const { path } = await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id))))
    const changed = Effect.gen(function* () {
      const storage = { ...(yield* RepositoryStorage), setDefaultBranch: () => Effect.die("stuck") }
      const change = changeProject(id, { defaultBranch: "next", changes: {}, ceilings: [] })
      const failed = Effect.catchDefect(change, (defect) => Effect.fail(defect))
      return yield* Effect.flip(Effect.provideService(failed, RepositoryStorage, storage))
    })
    expect(await service.run(changed)).toBe("stuck")
    await expect.poll(async () => (await git(`--git-dir=${path}`, "symbolic-ref", "HEAD")).stdout).toBe("refs/heads/next\n")
  })
})

it("a README that was not noted is at the next start", async () => {
  const id = await newProject("unnoted")
  await work("push", "-q", urlFor(rootToken, "unnoted"), "main")
  await noteMoves(id)
  await service.run(Effect.andThen(handle(projectAggregate, id, { _tag: "NoteReadme", readme: null }), settled))
  const readme = async () => field((await service.request("GET", `/projects/${id}`)).body, "readme_url")
  expect(await readme()).toBeNull()
  await service.run(Effect.andThen(reconcile, settled))
  expect(await readme()).toBe("https://forge.example.com/root/unnoted/-/blob/main/README.md")
})
