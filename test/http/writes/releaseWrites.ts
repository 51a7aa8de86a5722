import { field } from "#test/support/exactly.ts"
import type { TestService } from "#test/support/service.ts"
import { idOf, makers, type Writes } from "./Write.ts"

/** Of releases and their links. */
export const releaseWrites = (service: TestService, run: number): Writes => {
  const { named } = makers(service, run)
  const newPath = async (text: string): Promise<string> => {
    const json = { name: named(text), initialize_with_readme: true }
    return `/projects/${idOf(await service.request("POST", "/projects", { json }))}/releases`
  }
  const link = { name: "tool", url: "https://example.com/tool" }
  const released = async (text: string) => {
    const path = await newPath(text)
    const json = { tag_name: "v1", ref: "main", assets: { links: [link] } }
    const { body } = await service.request("POST", path, { json })
    return {
      path: `${path}/v1`,
      link: `${path}/v1/assets/links/${field([field(field(body, "assets"), "links")].flat()[0], "id")}`
    }
  }
  const isGone = (path: string) => async () => (await service.request("GET", path)).status === 404
  return {
    "releases.create": async () => {
      const path = await newPath("releasing")
      const sent = { json: { tag_name: "v1", ref: "main", tag_message: "One", assets: { links: [link] } } }
      return { path, sent, works: async () => (await service.request("GET", `${path}/v1`)).status === 200 }
    },
    "releases.change": async () => ({ path: (await released("changing")).path, sent: { json: { name: "One" } } }),
    "releases.delete": async () => {
      const { path } = await released("deleting")
      return { path, works: isGone(path) }
    },
    "releases.addLink": async () => {
      const { path } = await released("linking")
      const works = async () => field([(await service.request("GET", `${path}/assets/links`)).body].flat(), "length") === 2
      return { path: `${path}/assets/links`, sent: { json: { name: "other", url: "https://example.com/other" } }, works }
    },
    "releases.changeLink": async () => ({ path: (await released("relinking")).link, sent: { json: { name: "new" } } }),
    "releases.removeLink": async () => {
      const path = (await released("unlinking")).link
      return { path, works: isGone(path) }
    }
  }
}
