import { field } from "#test/support/exactly.ts"
import type { TestService } from "#test/support/service.ts"
import { makers, type Writes } from "./Write.ts"

/** Of issues. */
export const issueWrites = (service: TestService, run: number): Writes => {
  const { isShown, newProject } = makers(service, run)
  /** Answers the path of an issue. */
  const opened = async (name: string) => {
    const path = `/projects/${await newProject(name)}/issues`
    return `${path}/${field((await service.request("POST", path, { json: { title: "Uploads fail" } })).body, "iid")}`
  }
  return {
    "issues.create": async () => {
      const path = `/projects/${await newProject("opening-issues")}/issues`
      const works = async () => {
        const { body } = await service.request("GET", path)
        return Array.isArray(body) && body.length === 1
      }
      return { path, sent: { json: { title: "Uploads fail", labels: "bug,ui", assignee_ids: [1] } }, works }
    },
    "issues.change": async () => ({
      path: await opened("changing-issues"),
      sent: { json: { title: "Uploads are slow", add_labels: "bug", state_event: "close" } }
    }),
    "issues.delete": async () => {
      const path = await opened("forgetting-issues")
      return { path, works: async () => (await service.request("GET", path)).status === 404 }
    },
    "issues.award": async () => {
      const path = `${await opened("awarding-issues")}/award_emoji`
      return { path, sent: { json: { name: "thumbsup" } }, works: isShown(path) }
    },
    "issues.takeAwardBack": async () => {
      const path = `${await opened("taking-back-of-issues")}/award_emoji`
      const { body } = await service.request("POST", path, { json: { name: "thumbsup" } })
      const award = `${path}/${field(body, "id")}`
      return { path: award, works: async () => (await service.request("GET", award)).status === 404 }
    }
  }
}
