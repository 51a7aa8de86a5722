import { Gitlab } from "@gitbeaker/rest"
import { expect, it } from "vitest"
import { usePages } from "#test/pages/usePages.ts"
import { rootToken } from "#test/support/service.ts"

const { newProject, publish, service } = usePages()

it("a client reads the pages of a project and unpublishes them", async () => {
  const { GitlabPages } = new Gitlab({ host: service.url, token: rootToken })
  const id = await newProject("client")
  const url = await publish(id, { "index.html": "a" })
  expect(await GitlabPages.showSettings("root/client")).toEqual({
    url: url.slice(0, -1),
    deployments: [{ created_at: expect.any(String), url, path_prefix: "", root_directory: null }],
    is_unique_domain_enabled: true,
    force_https: false
  })
  await GitlabPages.remove(id)
  expect(await GitlabPages.showSettings(id)).toMatchObject({ deployments: [] })
})
