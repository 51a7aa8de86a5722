import { describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { type ServeProcess, serveProcess } from "#test/support/processes/serveProcess.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"
import { everyPage, expectFiles, expectMergedOnce, expectSameRows, numberOf, prepare, requests } from "./merging.ts"

const merges = 50
const mergers = 8
/** The service is killed each time when so many merges were answered. */
const killedAfter = 12

const numbers = Array.from({ length: merges }, (_, index) => index + 1)

/** Merges by several callers at once, until all were asked for or the service is killed: the numbers of those that were answered with success. */
const mergeUntilKilled = async (service: ServeProcess, wanted: ReadonlyArray<number>) => {
  const [waiting, acknowledged]: [Array<number>, Array<number>] = [[...wanted], []]
  const next = async () => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      const answer = await service.request("PUT", `${requests}/${number}/merge`).catch(() => undefined)
      if (answer === undefined) return
      if (answer.status === 200) acknowledged.push(number)
      if (acknowledged.length === killedAfter) await service.end("SIGKILL")
    }
  }
  await Promise.all(Array.from({ length: mergers }, next))
  return acknowledged
}

/** The merge requests when each of them is merged, or open and known to be mergeable. */
const settled = async (service: ServeProcess) => {
  let all: ReadonlyArray<unknown> = []
  await until(async () => {
    all = await everyPage(service, requests)
    return all.every((one) => field(one, "state") === "merged" || field(one, "detailed_merge_status") === "mergeable")
  })
  expect(all).toHaveLength(merges)
  return all.filter((one) => field(one, "state") === "merged")
}

describe("a service that is killed again and again in the middle of merges", () => {
  const folder = temporaryFolder()

  it("has merged each merge request once, with its commit on the target branch, or left it open and mergeable", async () => {
    const settings = { DATA_DIR: folder() }
    let service = await serveProcess(settings)
    await prepare(service, merges)
    const acknowledged = new Set<number>()
    for (let merged: ReadonlyArray<number> = []; merged.length < merges; ) {
      const left = numbers.filter((number) => !merged.includes(number))
      const answered = await mergeUntilKilled(service, left)
      for (const number of answered) acknowledged.add(number)
      if (answered.length >= killedAfter) service = await serveProcess(settings)
      const shown = await settled(service)
      merged = shown.map(numberOf)
      expect([...acknowledged].filter((number) => !merged.includes(number))).toEqual([])
      await expectMergedOnce(service, shown)
    }
    await expectFiles(service, merges)
    await expectSameRows(settings)
    expect(await service.end("SIGTERM")).toBe(0)
  })
})
