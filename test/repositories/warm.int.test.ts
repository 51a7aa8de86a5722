import { describe, expect, it } from "vitest"
import { useProcesses } from "#test/support/processes/useProcesses.ts"
import { useService } from "#test/support/service.ts"
import { useStandardCode } from "./useCode.ts"

const service = useService()
const code = useStandardCode(service)
const processes = useProcesses()

const idOf = (path: string) => code().fixture.git(["rev-parse", `refs/heads/main:${path}`])

describe("once it was asked for, no process is started for", () => {
  it.each([
    ["a directory", () => "tree"],
    ["a page of a directory below", () => "tree?path=src&ref=v1.0.0&per_page=1"],
    ["a recursive list", () => "tree?recursive=true"],
    ["a numbered page", () => "tree?recursive=true&page=2&per_page=3"],
    ["a blob", () => `blobs/${idOf("README.md")}`],
    ["the bytes of a blob", () => `blobs/${idOf("data/noise.bin")}/raw`],
    ["a merge base", () => "merge_base?refs[]=main&refs[]=feature/topic"],
    ["contributors", () => "contributors"]
  ])("%s", async (_, path) => {
    const url = `/projects/${code().id}/repository/${path()}`
    const first = await service.request("GET", url)
    processes.forget()
    for (let time = 0; time < 5; time++) expect((await service.request("GET", url)).body).toEqual(first.body)
    expect([first.status, processes.started()]).toEqual([200, 0])
  })

  it("which are counted", async () => {
    processes.forget()
    await service.request("GET", `/projects/${code().id}/repository/commits/main/diff`)
    expect(processes.started()).toBe(1)
  })
})
