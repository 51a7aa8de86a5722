import { execFileSync } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { onBehalfOf } from "#src/platform/work/CurrentWork.ts"
import { inPlace } from "#src/platform/work/WorkPlaces.ts"
import { deltaPack } from "#test/support/git/deltaPack.ts"
import { emptyRepository } from "#test/support/git/gitFixtures.ts"
import { rootToken, type TestService, useService } from "#test/support/service.ts"
import { createProject, repositoryPath } from "./useCode.ts"

const mebibyte = 1024 * 1024

/** A counter of the metrics; 0 where it was never counted. */
const counted = async (service: TestService, name: string): Promise<number> => {
  const { body } = await service.request("GET", "/-/metrics")
  const [line = ""] = String(body)
    .split("\n")
    .filter((each) => each.startsWith(name))
  return Number(line.split(" ").at(-1) ?? 0)
}

describe("of processes that somebody waits for", () => {
  const service = useService({ INTERACTIVE_LIMITS: "places=1 memory=16 wall=5" })
  const newRepository = async (path: string, files: Readonly<Record<string, string>>) => {
    const id = await createProject(service, { path })
    const folder = await repositoryPath(service, id)
    emptyRepository(folder).commits([{ mark: "c", ref: "refs/heads/main", files }])
    return { folder, url: `/projects/${id}/repository` }
  }
  const busy = (text: string) => [503, "10", { message: `503 Service Unavailable - ${text}` }]

  it("there are so many, and who cannot even wait is told to come again", async () => {
    const { url } = await newRepository("busy", { a: "a" })
    const released = Promise.withResolvers<void>()
    const holding = Promise.withResolvers<void>()
    const held = service.run(
      onBehalfOf("user:1")(
        inPlace(
          "elsewhere",
          Effect.promise(() => {
            holding.resolve()
            return released.promise
          })
        )
      )
    )
    await holding.promise
    const asked = Array.from({ length: 103 }, () => service.request("GET", `${url}/commits?path=a`))
    await expect.poll(() => counted(service, 'chronoforge_work_refused_total{class="interactive"}')).toBe(3)
    const places = ["running", "waiting"].map((kind) => counted(service, `chronoforge_work_${kind}{class="interactive"}`))
    expect(await Promise.all(places)).toEqual([1, 100])
    released.resolve()
    await held
    const answers = await Promise.all(asked)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ body, headers, status }) => [status, headers.get("retry-after"), body])).toEqual(
      Array(3).fill(busy("too much is being asked for at the same time"))
    )
  })

  it("one that needs more memory is told as such", async () => {
    const { url } = await newRepository("memory", { large: "a line of some length\n".repeat(mebibyte) })
    const { body, headers, status } = await service.request("GET", `${url}/files/large/blame?ref=main`)
    expect([status, headers.get("retry-after"), body]).toEqual(busy("the answer needs more memory than the service may use"))
  })

  it("one that takes longer is ended, told as such and counted", async () => {
    const { folder, url } = await newRepository("time", { a: "a" })
    const before = await counted(service, 'chronoforge_processes_killed_total{class="interactive"')
    const pipe = join(folder, "packed-refs")
    rmSync(pipe, { force: true })
    // Nobody writes into it, so whoever reads it waits for ever.
    execFileSync("sh", ["-c", 'mkfifo "$0"', pipe])
    const { body, headers, status } = await service.request("GET", `${url}/branches`)
    rmSync(pipe)
    expect([status, headers.get("retry-after"), body]).toEqual(busy("the answer takes longer than the service may take"))
    expect(await counted(service, 'chronoforge_processes_killed_total{class="interactive"')).toBe(before + 1)
  })
})

describe.each([
  ["TRANSFER_LIMITS", { TRANSFER_LIMITS: "memory=48" }, "it"],
  ["PROCESS_MEMORY", { PROCESS_MEMORY: "64" }, "all that is being done"]
])("a push that needs more memory than %s", (_name, settings, what) => {
  const service = useService(settings)

  it("is ended, and its client told so", async () => {
    await createProject(service, { path: "pushed" })
    const { commit, pack } = deltaPack(60 * mebibyte)
    const command = `${"0".repeat(40)} ${commit} refs/heads/large\0 report-status side-band-64k`
    const head = `${(command.length + 4).toString(16).padStart(4, "0")}${command}0000`
    const answer = await fetch(`${service.url}/root/pushed.git/git-receive-pack`, {
      method: "POST",
      headers: {
        "content-type": "application/x-git-receive-pack-request",
        authorization: `Basic ${btoa(`root:${rootToken}`)}`
      },
      body: new Uint8Array(Buffer.concat([Buffer.from(head), pack]))
    })
    expect(await answer.text()).toContain(`The push was ended: ${what} needs more memory than the service may use.`)
  })
})
