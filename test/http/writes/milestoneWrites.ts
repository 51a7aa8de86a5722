import { field } from "#test/support/exactly.ts"
import type { TestService } from "#test/support/service.ts"
import { idOf, makers, type Writes } from "./Write.ts"

/** Of milestones. */
export const milestoneWrites = (service: TestService, run: number): Writes => {
  const { isShown, newGroup, newProject } = makers(service, run)
  const places = {
    Project: async (name: string) => `/projects/${await newProject(name)}/milestones`,
    Group: async (name: string) => `/groups/${await newGroup(name)}/milestones`
  }
  const of = (kind: keyof typeof places) => {
    const made = async (name: string) => {
      const path = await places[kind](name)
      return `${path}/${idOf(await service.request("POST", path, { json: { title: "1.0" } }))}`
    }
    const adding = async () => {
      const path = await places[kind]("planning")
      return { path, sent: { json: { title: "1.0", due_date: "2026-12-31" } }, works: isShown(path) }
    }
    const changing = async () => {
      const path = await made("replanning")
      const json = { title: "1.1", description: "d", state_event: "close" }
      const works = async () => field((await service.request("GET", path)).body, "state") === "closed"
      return { path, sent: { json }, works }
    }
    const removing = async () => {
      const path = await made("unplanning")
      return { path, works: async () => (await service.request("GET", path)).status === 404 }
    }
    return { adding, changing, removing }
  }
  const [ofProject, ofGroup] = [of("Project"), of("Group")]
  return {
    "milestones.addToProject": ofProject.adding,
    "milestones.changeOfProject": ofProject.changing,
    "milestones.removeFromProject": ofProject.removing,
    "milestones.addToGroup": ofGroup.adding,
    "milestones.changeOfGroup": ofGroup.changing,
    "milestones.removeFromGroup": ofGroup.removing
  }
}
