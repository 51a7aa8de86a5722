import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { useInstallation } from "#test/cli/useInstallation.ts"
import { field } from "#test/support/exactly.ts"
import { rootToken } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"

const installation = useInstallation()

const seed = (token = rootToken) =>
  promisify(execFile)(process.execPath, ["scripts/seed/main.ts", "--url", installation.url, "--token", token])

const path = "/projects/analytical%2Fengine/merge_requests"

/** How many merge requests there are of each status. */
const statuses = async () => {
  const { body } = await installation.request("GET", path, { query: { per_page: "100" } })
  const counts: Record<string, number> = {}
  for (const one of [body].flat()) {
    const name = `${field(one, "state")} ${field(one, "detailed_merge_status")}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

it("a seeded service has merge requests in every state, and is seeded once", async () => {
  expect((await seed()).stdout).toBe(
    `The world is there: 6 users, 60 commits, 40 issues, 40 merge requests.\n  ${installation.url}/api/v4${path}\n`
  )
  await until(async () => !("opened unchecked" in (await statuses())))
  expect(await statuses()).toEqual({
    "closed not_open": 5,
    "merged not_open": 12,
    "opened conflict": 5,
    "opened draft_status": 4,
    "opened mergeable": 14
  })
  await expect(seed("wrong")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The token has to be that of an administrator of this service")
  })
  await expect(seed()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("A world is made once: begin with a service that has none.")
  })
})

it("tells what is missing where there is no service or no token", async () => {
  const run = (...args: ReadonlyArray<string>) =>
    promisify(execFile)(process.execPath, ["scripts/seed/main.ts", ...args], { env: { ...process.env, DATA_DIR: "nowhere" } })
  await expect(run("--url", installation.url)).rejects.toMatchObject({
    code: 1,
    stderr: "nowhere/root-token cannot be read\n  Name the token of an administrator with --token.\n"
  })
  await expect(run("--url", "http://127.0.0.1:1", "--token", "x")).rejects.toMatchObject({
    code: 1,
    stderr: "http://127.0.0.1:1 does not answer\n  Start the service, or name it with --url.\n"
  })
})
