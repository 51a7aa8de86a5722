import { existsSync } from "node:fs"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { expect, it, vi } from "vitest"
import { Spools } from "#src/git/process/Spools.ts"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { removeLeftSites, removeSites } from "#src/pages/sites/removeSites.ts"
import { SiteStorage } from "#src/pages/sites/SiteStorage.ts"
import { deploy } from "#src/pages/writes.ts"
import { whileReacting } from "#test/support/reactions/whileReacting.ts"
import { until } from "#test/support/until.ts"
import { entriesOf, zipOf } from "./archives.ts"
import { usePages } from "./usePages.ts"

const { newProject, path, publish, service, sitesOf } = usePages()
const { request, run } = service

it("what killed processes left on the way goes once nothing of it can be on its way", async () => {
  const drafts = await run(Effect.map(Spools, ({ folder }) => folder))
  const day = 86_400_000
  const [stale, recent] = [2 * day, day].map((age) => `site-${uuidV7(Date.now() - age)}`)
  for (const name of [stale, recent, "a-spool"]) await mkdir(join(drafts, String(name), "sub"), { recursive: true })
  await run(removeLeftSites)
  expect((await readdir(drafts)).toSorted()).toEqual(["a-spool", recent])
  for (const name of [recent, "a-spool"]) await rm(join(drafts, String(name)), { recursive: true })
})

it("a site whose deployment was never told goes in the same way, and one that was told stays", async () => {
  const id = await newProject("told")
  const drafts = await run(Effect.map(Spools, ({ folder }) => folder))
  await publish(id, { a: "told" })
  expect((await readdir(drafts)).filter((name) => name.startsWith("placed-"))).toEqual([])
  const [told = ""] = await sitesOf(id)
  const archive = join(drafts, "archive")
  await writeFile(archive, zipOf(entriesOf({ a: "never told" })))
  const options = { root: [], limits: { maxBytes: 1_000, maxFiles: 1 }, archiveBytes: 1_000 }
  const { site } = await run(SiteStorage.use((sites) => Effect.orDie(sites.store(id, archive, options))))
  await rm(archive)
  await writeFile(join(drafts, `placed-${told}-${id}`), "")
  await run(removeLeftSites)
  expect((await sitesOf(id)).toSorted()).toEqual([told, site].toSorted())
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * 86_400_000 })
  await run(removeLeftSites)
  vi.useRealTimers()
  expect(await sitesOf(id)).toEqual([told])
  expect((await readdir(drafts)).filter((name) => name.startsWith("placed-"))).toEqual([])
})

it("sites come and go at the same time, and leave nothing", async () => {
  const id = await newProject("coming")
  const drafts = await run(Effect.map(Spools, ({ folder }) => folder))
  const archive = join(drafts, "archive")
  await mkdir(drafts, { recursive: true })
  await writeFile(archive, zipOf(entriesOf({ a: "a" })))
  const options = { root: [], limits: { maxBytes: 1_000, maxFiles: 1 }, archiveBytes: 1_000 }
  const comeAndGo = Effect.gen(function* () {
    const sites = yield* SiteStorage
    const { site } = yield* Effect.orDie(sites.store(id, archive, options))
    yield* sites.remove(id, site)
  })
  await run(Effect.replicateEffect(comeAndGo, 200, { concurrency: 8, discard: true }))
  await rm(archive)
  const folder = await run(SiteStorage.use(({ folderOf }) => Effect.succeed(folderOf(id, ""))))
  expect([existsSync(folder), await readdir(drafts)]).toEqual([false, []])
})

it("a site that arrives when its project is deleted leaves no files", async () => {
  const id = await newProject("gone")
  await request("DELETE", `/projects/${id}`)
  const arriving = Effect.gen(function* () {
    const archive = join(yield* Effect.map(Spools, ({ folder }) => folder), "archive")
    yield* Effect.promise(async () => {
      await mkdir(dirname(archive), { recursive: true })
      await writeFile(archive, zipOf(entriesOf({ a: "a" })))
    })
    const options = { root: [], limits: { maxBytes: 1_000, maxFiles: 1 }, archiveBytes: 1_000 }
    const store = SiteStorage.use((sites) => sites.store(id, archive, options))
    yield* Effect.orDie(deploy({ id, path: "gone" }, { pathPrefix: "", rootDirectory: null, by: 1 }, store))
    yield* Effect.promise(() => until(async () => (await sitesOf(id)).length === 0))
    yield* Effect.promise(() => rm(archive))
  })
  await run(whileReacting("pages", removeSites, arriving))
})

it("the files of what is replaced, unpublished or deleted go", async () => {
  const removed = await newProject("removed")
  const id = await newProject("replaced")
  const replacing = Effect.promise(async () => {
    await publish(removed, { "index.html": "a" })
    await publish(id, { "index.html": "a" })
    await publish(id, { "index.html": "b" }, { path_prefix: "b" })
    const [first] = await sitesOf(id)
    await publish(id, { "index.html": "c" })
    await until(async () => !(await sitesOf(id)).includes(first ?? ""))
    expect(await sitesOf(id)).toHaveLength(2)
    await request("DELETE", path(id))
    await request("DELETE", `/projects/${removed}`)
    await until(async () => [...(await sitesOf(id)), ...(await sitesOf(removed))].length === 0)
  })
  await run(whileReacting("pages", removeSites, replacing))
})
