import { join } from "node:path"
import { Effect, Layer } from "effect"
import { beforeEach, describe, expect, inject, it } from "vitest"
import type { Push } from "#src/git/http/access.ts"
import { layerAdvisoryPushLocks } from "#src/git/refs/advisoryPushLocks.ts"
import { refDifference, refsOf } from "#src/git/refs/pushedRefs.ts"
import { PushLocks } from "#src/git/refs/pushLocks.ts"
import { connect } from "#src/platform/sql/connect.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { defaultPlaces } from "#src/platform/work/WorkPlaces.ts"
import { useProcesses } from "#test/support/processes/useProcesses.ts"
import { succeed, WorkingCopy } from "./gitClient.ts"
import { type GitService, startGitService } from "./gitService.ts"
import { type Begun, useGitService } from "./useGitService.ts"

const { begin, folder } = useGitService()
const processes = useProcesses()
let service: Begun["service"]
let copies: ReadonlyArray<WorkingCopy> = []
let id = 0

/** Eight clones of one repository, each with a commit of its own. */
beforeEach(async () => {
  const begun = await begin()
  ;({ id, service } = begun)
  const url = `${service.url}/group/${id}.git`
  await begun.copy.git("push", "--quiet", "origin", "main")
  copies = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const copy = new WorkingCopy(join(folder(), `copy-${id}-${index}`))
      await succeed("clone", "--quiet", url, copy.path)
      await copy.commit(10_000)
      return copy
    })
  )
})

/** The refs as the records tell them, each checked to begin where the one before ended. */
const replay = (pushes: ReadonlyArray<Push>) => {
  const refs = new Map<string, string>()
  for (const { after, before, ref } of pushes.flatMap(({ updates }) => updates)) {
    expect([ref, refs.get(ref) ?? null]).toEqual([ref, before])
    if (after === null) refs.delete(ref)
    else refs.set(ref, after)
  }
  return refs
}
const difference = async () => refDifference(replay(service.pushes), await Effect.runPromise(refsOf(service.repository(id))))
const fsck = () => succeed(`--git-dir=${service.repository(id).path}`, "fsck", "--strict", "--no-dangling")

describe("eight pushes at once", () => {
  it("to branches of their own all arrive", async () => {
    const ends = await Promise.all(copies.map((copy, index) => copy.attempt("push", "origin", `main:branch-${index}`)))
    expect(ends.map(({ status }) => status)).toEqual(Array(8).fill(0))
    expect([await difference(), service.pushes.length]).toEqual([[], 9])
    await fsck()
  })

  it("to one branch arrive one after the other", async () => {
    const pushAnyhow = async (copy: WorkingCopy): Promise<number> => {
      for (let tries = 1; ; tries++) {
        if ((await copy.attempt("push", "origin", "main")).status === 0) return tries
        await copy.git("pull", "--quiet", "--rebase", "origin", "main")
      }
    }
    await Promise.all(copies.map(pushAnyhow))
    expect([await difference(), service.pushes.length]).toEqual([[], 9])
    expect(await succeed(`--git-dir=${service.repository(id).path}`, "rev-list", "--count", "main")).toBe("9")
    await fsck()
  })

  it("by force to one branch are recorded in the order in which they came", async () => {
    service.onPush = () => Effect.as(Effect.sleep(Math.random() * 30), [])
    const ends = await Promise.all(copies.map((copy) => copy.attempt("push", "--force", "origin", "main")))
    service.onPush = () => Effect.succeed([])
    expect(await difference()).toEqual([])
    expect(ends.filter(({ status }) => status === 0)).toHaveLength(service.pushes.length - 1)
  })

  it("leave nothing running, and the repository is as fast as before after maintenance", async () => {
    await Promise.all(copies.map((copy, index) => copy.git("push", "--quiet", "origin", `main:branch-${index}`)))
    expect(await Effect.runPromise(service.maintenance.maintain(service.repository(id)))).toEqual(["commitGraph"])
    await succeed(`--git-dir=${service.repository(id).path}`, "commit-graph", "verify", "--shallow")
  })
})

/** Locks of the server need no tables. */
const sharedLocks = () => Layer.provide(layerAdvisoryPushLocks, Layer.effect(Sql, Effect.orDie(connect(inject("serverUrl"), 2))))

describe("two services on one folder", () => {
  it("record what both move in the order in which it moved", async () => {
    const [place, locks] = [join(folder(), "shared"), sharedLocks()]
    const [slow, fast] = [await startGitService(place, {}, locks), await startGitService(place, {}, locks)]
    const repository = await slow.create(1)
    const recorded: Array<Push> = []
    const note = (push: Push) => Effect.sync(() => recorded.push(push))
    const [moved, mayRecord] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    slow.onPush = (push) =>
      Effect.sync(moved.resolve).pipe(
        Effect.andThen(Effect.promise(() => mayRecord.promise)),
        Effect.andThen(note(push)),
        Effect.as([])
      )
    fast.onPush = (push) => Effect.as(note(push), [])
    const push = (copy: WorkingCopy | undefined, { url }: GitService) =>
      copy?.attempt("push", "--force", `${url}/group/1.git`, "main").then(({ status }) => status)
    const first = push(copies[0], slow)
    await moved.promise
    const second = push(copies[1], fast)
    await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 1_000))])
    mayRecord.resolve()
    expect([await first, await second, recorded.length]).toEqual([0, 0, 2])
    expect(refDifference(replay(recorded), await Effect.runPromise(refsOf(repository)))).toEqual([])
    await Promise.all([slow.stop(), fast.stop()])
  })

  it("maintain a repository one after the other", async () => {
    const [place, locks] = [join(folder(), "maintained"), sharedLocks()]
    const services = [await startGitService(place, {}, locks), await startGitService(place, {}, locks)]
    const repository = await services[0]?.create(1)
    if (repository === undefined) expect.unreachable()
    const maintain = () => Promise.all(services.map(({ maintenance }) => Effect.runPromise(maintenance.maintain(repository))))
    processes.forget()
    for (let round = 0; round < 5; round++) expect(await maintain()).toEqual([["commitGraph"], ["commitGraph"]])
    expect([processes.started("commit-graph"), processes.maxConcurrent("commit-graph")]).toEqual([10, 1])
    await Promise.all(services.map(({ stop }) => stop()))
  })
})

describe("more requests than places", () => {
  it("wait for their turn, and too many are told to come again", async () => {
    const small = { concurrency: 1, maxQueued: 2, timeoutMillis: 60_000 }
    const busy = await startGitService(join(folder(), "busy"), {}, PushLocks.layer, { ...defaultPlaces, interactive: small })
    await busy.create(1)
    const url = `${busy.url}/group/1.git/info/refs?service=git-upload-pack`
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(url)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(3)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    const turnedAway = answers.find(({ status }) => status === 503)
    expect([turnedAway?.headers.get("retry-after"), await turnedAway?.text()]).toEqual([
      "10",
      "The service is busy. Try again in a moment.\n"
    ])
    expect((await fetch(url)).status).toBe(200)
    await busy.stop()
  })
})
