import { field } from "#test/support/exactly.ts"
import type { TestService } from "#test/support/service.ts"
import { idOf, makers, type Writes } from "./Write.ts"

/** Of files that are uploaded. */
export const uploadWrites = (service: TestService, run: number): Writes => {
  const { newProject } = makers(service, run)
  const file = () => new File(["content"], "a.png")
  const pathOf = async (name: string) => `/projects/${await newProject(name)}/uploads`
  const uploaded = async (name: string) => {
    const path = await pathOf(name)
    const { body } = await service.request("POST", path, { multipart: { file: file() } })
    return { path, id: field(body, "id"), url: String(field(body, "url")) }
  }
  const told = async (path: string) => field([(await service.request("GET", path)).body].flat(), "length")
  const isGone = (path: string) => async () => (await service.request("GET", path)).status === 404
  return {
    "uploads.add": async () => {
      const path = await pathOf("uploading")
      const works = async (first: Parameters<typeof idOf>[0]) => {
        const { body } = await service.request("GET", `${path}/${idOf(first)}`)
        return body === "content" && (await told(path)) === 1
      }
      return { path, sent: { multipart: { file: file() } }, works }
    },
    "uploads.remove": async () => {
      const { id, path } = await uploaded("unloading")
      return { path: `${path}/${id}`, works: isGone(`${path}/${id}`) }
    },
    "uploads.removeNamed": async () => {
      const { path, url } = await uploaded("unloading-named")
      const named = `${path}/${url.slice("/uploads/".length)}`
      return { path: named, works: isGone(named) }
    }
  }
}
