import { expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { slowness } from "#test/support/processes/cpuTime.ts"
import { type ServeProcess, serveProcess } from "#test/support/processes/serveProcess.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"
import { everyPage, expectFiles, expectMergedOnce, expectSameRows, numberOf, prepare, requests } from "./merging.ts"

const waiting = 30
/** The service is killed each time when so many more are merged. */
const killedAfter = 8

const isMerged = (one: unknown) => field(one, "state") === "merged"
const mergedOf = async (service: ServeProcess) => (await everyPage(service, requests)).filter(isMerged)
/** The pipeline of each, by a service outside. */
const post = async (service: ServeProcess, heads: ReadonlyArray<string>, state: string) => {
  const sent = heads.map((sha, index) =>
    service.request("POST", `/projects/1/statuses/${sha}`, { json: { state, ref: `topic-${index + 1}` } })
  )
  for (const { status } of await Promise.all(sent)) expect(status).toBe(201)
}

const folder = temporaryFolder()

it("a service that is killed again and again merges of itself, once each, all that are to be, within a minute of running", async () => {
  const settings = { DATA_DIR: folder() }
  let service = await serveProcess(settings)
  const heads = await prepare(service, waiting)
  await post(service, heads, "running")
  const asked = heads.map((_, index) => service.request("PUT", `${requests}/${index + 1}/merge`, { json: { auto_merge: true } }))
  for (const { body } of await Promise.all(asked)) expect(field(body, "merge_when_pipeline_succeeds")).toBe(true)
  await post(service, heads, "success")
  let ran = 0
  for (let merged = 0; merged < waiting; ) {
    const began = performance.now()
    const enough = Math.min(waiting, merged + killedAfter)
    await until(async () => (await mergedOf(service)).length >= enough)
    ran += performance.now() - began
    merged = enough
    if (enough === waiting) break
    await service.end("SIGKILL")
    service = await serveProcess(settings)
  }
  expect(ran / slowness()).toBeLessThan(60_000)
  const merged = await mergedOf(service)
  expect(merged.map(numberOf).toSorted((a, b) => a - b)).toEqual(heads.map((_, index) => index + 1))
  await expectMergedOnce(service, merged)
  await expectFiles(service, waiting)
  await expectSameRows(settings)
  expect(await service.end("SIGTERM")).toBe(0)
})
