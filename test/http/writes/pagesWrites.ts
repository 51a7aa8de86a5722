import { entriesOf, zipOf } from "#test/pages/archives.ts"
import { field } from "#test/support/exactly.ts"
import type { TestService } from "#test/support/service.ts"
import { makers, type Writes } from "./Write.ts"

/** Of pages. */
export const pagesWrites = (service: TestService, run: number): Writes => {
  const { newProject } = makers(service, run)
  const file = zipOf(entriesOf({ "index.html": "a" }))
  const pagesOf = async (name: string) => `/projects/${await newProject(name)}/pages`
  const told = async (path: string, key: string) => field((await service.request("GET", path)).body, key)
  const hasDeployments = async (path: string, count: number) => {
    const deployments = await told(path, "deployments")
    return Array.isArray(deployments) && deployments.length === count
  }
  return {
    "pages.change": async () => {
      const path = await pagesOf("changed-pages")
      const works = async () => (await told(path, "is_unique_domain_enabled")) === true
      return { path, sent: { json: { pages_unique_domain_enabled: true } }, works }
    },
    "pages.unpublish": async () => {
      const path = await pagesOf("unpublished")
      await service.request("POST", `${path}/deployments`, { file })
      return { path, works: () => hasDeployments(path, 0) }
    },
    "pages.deploy": async () => {
      const path = await pagesOf("published")
      return { path: `${path}/deployments`, sent: { file }, works: () => hasDeployments(path, 1) }
    }
  }
}
