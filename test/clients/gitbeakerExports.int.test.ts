import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { gunzipSync } from "node:zlib"
import { Gitlab } from "@gitbeaker/rest"
import { expect, it } from "vitest"
import { relations } from "#src/exports/relations.ts"
import { useExports } from "#test/exports/useExports.ts"
import { field } from "#test/support/exactly.ts"
import { rootToken } from "#test/support/service.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const { perform, service } = useExports()
const folder = temporaryFolder()

it("clients export the relations of a project, wait for them and download them", async () => {
  const { body } = await service.request("POST", "/projects", { json: { name: "client" } })
  const id = Number(field(body, "id"))
  await service.request("POST", `/projects/${id}/labels`, { json: { name: "bug", color: "#aabbcc" } })
  const { ProjectRelationsExport } = new Gitlab({ host: service.url, token: rootToken })
  expect(await ProjectRelationsExport.scheduleExport("root/client")).toEqual({ message: "202 Accepted" })
  await perform(id)
  const statuses = await ProjectRelationsExport.showExportStatus(id)
  expect([statuses].flat().map(({ relation, status }) => [relation, status])).toEqual(relations.map(({ name }) => [name, 1]))
  const labels = await ProjectRelationsExport.download(id, "labels")
  const lines = gunzipSync(await labels.bytes())
    .toString()
    .trimEnd()
    .split("\n")
  expect(lines.map((line) => field(JSON.parse(line), "title"))).toEqual(["bug"])

  const url = `${service.url}/api/v4/projects/${id}/export_relations/download?relation=labels`
  const curl = ["--silent", "--fail", "--compressed", "--remote-name", "--remote-header-name", "--header"]
  await promisify(execFile)("curl", [...curl, `PRIVATE-TOKEN: ${rootToken}`, url], { cwd: folder() })
  const file = await readFile(join(folder(), "labels.ndjson.gz"))
  expect(file).toEqual(Buffer.from(await labels.bytes()))
})
