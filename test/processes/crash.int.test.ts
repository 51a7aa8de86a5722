import { spawnSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ServeProcess, serveProcess } from "#test/support/processes/serveProcess.ts"

const writes = 500
const writers = 16

const add = (service: ServeProcess, index: number) =>
  service.request("POST", "/admin/clusters/add", {
    json: {
      name: `cluster ${index}`,
      environment_scope: `scope-${index}`,
      platform_kubernetes_attributes: { api_url: "https://k8s.example.com", token: `token ${index}` }
    }
  })

const names = async (service: ServeProcess): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (let page = 1; ; page++) {
    const { body } = await service.request("GET", "/admin/clusters", { query: { per_page: "100", page: String(page) } })
    if (!Array.isArray(body) || body.length === 0) return found
    found.push(...body.map((cluster: { name: string }) => cluster.name))
  }
}

describe("a service that is killed in the middle of writes", () => {
  let folder = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "chronoforge-crash-"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it("has every acknowledged write after its restart, none twice, and goes on", async () => {
    const first = await serveProcess({ DATA_DIR: folder })
    const acknowledged: Array<string> = []
    let next = 0
    const write = async () => {
      while (next < writes) {
        const index = next++
        const answer = await add(first, index).catch(() => undefined)
        if (answer === undefined) return
        expect(answer.status).toBe(201)
        acknowledged.push(`cluster ${index}`)
        if (acknowledged.length === writes / 2) await first.end("SIGKILL")
      }
    }
    await Promise.all(Array.from({ length: writers }, write))
    expect(acknowledged.length).toBeGreaterThanOrEqual(writes / 2)
    expect(acknowledged.length).toBeLessThan(writes)

    const second = await serveProcess({ DATA_DIR: folder })
    const shown = await names(second)
    expect(new Set(shown).size).toBe(shown.length)
    expect(acknowledged.filter((name) => !shown.includes(name))).toEqual([])
    // A scope that was reserved by a write that never came about is free again, at the latest after its grace.
    expect((await add(second, writes)).status).toBe(201)
    expect(await second.end("SIGTERM")).toBe(0)

    const verified = spawnSync(process.execPath, ["src/main.js", "verify", "--json"], {
      env: { PATH: process.env.PATH ?? "", DATA_DIR: folder },
      encoding: "utf8"
    })
    expect([verified.status, JSON.parse(verified.stdout)]).toEqual([0, expect.objectContaining({ ok: true, faults: [] })])
  })
})
