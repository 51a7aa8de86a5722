import { assert, it } from "vitest"
import { until } from "#test/support/until.ts"
import { useInstallation } from "./useInstallation.ts"

const { request, run, sql } = useInstallation()

it("reconcile has every repository compared with the log, and maintained", async () => {
  for (const name of ["one", "two"]) await request("POST", "/projects", { json: { name } })
  assert.deepStrictEqual(await run("reconcile"), {
    code: 0,
    stdout: "2 repositories noted: the service compares them with the log, and maintains them, one after the other\n",
    stderr: ""
  })
  await until(async () => (await sql("select task from chronoforge.repository_tasks")).length === 0)
})
