import type { TestService } from "#test/support/service.ts"
import { makers, type Writes } from "./Write.ts"

/** Of exports of projects. */
export const exportWrites = (service: TestService, run: number): Writes => {
  const { newProject } = makers(service, run)
  return {
    "exports.request": async () => {
      const path = `/projects/${await newProject("exported")}/export_relations`
      const works = async () => {
        const { body } = await service.request("GET", `${path}/status`, { query: { relation: "labels" } })
        return Array.isArray(body) && body.length === 1 && body[0].batched === true
      }
      return { path, sent: { json: { batched: true } }, works }
    }
  }
}
