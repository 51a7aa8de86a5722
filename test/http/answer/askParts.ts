import { entriesOf, zipOf } from "#test/pages/archives.ts"
import { field } from "#test/support/exactly.ts"
import type { Sent } from "#test/support/service.ts"

/** Sends a request to an endpoint by its name, with these values in its path: the body of the answer. */
type Ask = (name: string, sent?: Sent, ids?: Readonly<Record<string, unknown>>) => Promise<unknown>

/** Asks of the pipelines of a project all but what is of jobs. */
export const askPipelines = async (ask: Ask, id: unknown) => {
  const more = { name: "ci", target_url: "https://ci.example.com", description: "d", coverage: 12.5 }
  const at = { id, sha: "main" }
  const started = await ask("pipelines.postCommitStatus", { json: { ...more, state: "running" } }, at)
  await ask("pipelines.postCommitStatus", { json: { name: "ci", state: "success" } }, at)
  await ask("pipelines.commitStatuses", {}, at)
  const ids = { id, pipeline_id: field(started, "pipeline_id") }
  for (const name of ["list", "readLatest", "read", "cancel"]) await ask(`pipelines.${name}`, {}, ids)
  await ask("pipelines.rename", { json: { name: "nightly" } }, ids)
  await ask("pipelines.delete", {}, ids)
}

/** Asks of the pages of a project all that there is. */
export const askPages = async (ask: Ask, id: unknown) => {
  const file = zipOf(entriesOf({ "public/index.html": "a" }))
  await ask("pages.deploy", { file }, { id })
  await ask("pages.deploy", { file, query: { path_prefix: "a", root_directory: "public" } }, { id })
  for (const name of ["read", "readAccess"]) await ask(`pages.${name}`, {}, { id })
  await ask("pages.change", { json: { pages_https_only: true } }, { id })
  await ask("pages.unpublish", {}, { id })
}

/** Asks of the uploads of a project all but their files. */
export const askUploads = async (ask: Ask, id: unknown) => {
  const add = (name: string) => ask("uploads.add", { multipart: { file: new File(["a"], name) } }, { id })
  const [upload_id, url] = [field(await add("a.txt"), "id"), String(field(await add("b.png"), "url"))]
  const [, , secret, filename] = url.split("/")
  await ask("uploads.list", {}, { id })
  await ask("uploads.remove", {}, { id, upload_id })
  await ask("uploads.removeNamed", {}, { id, secret, filename })
}
