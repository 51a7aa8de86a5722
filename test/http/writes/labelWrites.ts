import { field } from "#test/support/exactly.ts"
import type { TestService } from "#test/support/service.ts"
import { makers, type Writes } from "./Write.ts"

/** The path of the list in which a label is. */
const listOf = (label: string): string => label.slice(0, label.lastIndexOf("/"))

/** Of labels, by their titles, which changes take away. */
export const labelWrites = (service: TestService, run: number): Writes => {
  const { newGroup, newProject } = makers(service, run)
  const places = {
    Project: async (name: string) => `/projects/${await newProject(name)}/labels`,
    Group: async (name: string) => `/groups/${await newGroup(name)}/labels`
  }
  const of = (kind: keyof typeof places) => {
    const named = async (name: string) => {
      const path = await places[kind](name)
      await service.request("POST", path, { json: { name: "bug", color: "#000" } })
      return `${path}/bug`
    }
    const adding = async () => {
      const path = await places[kind]("labeling")
      const works = async () => field((await service.request("GET", `${path}/bug`)).body, "name") === "bug"
      return { path, sent: { json: { name: "bug", color: "red" } }, works }
    }
    const changing = async () => ({
      path: await named("relabeling"),
      sent: { json: { new_name: "defect", color: "#fff", description: "d" } }
    })
    const removing = async () => {
      const path = await named("unlabeling")
      return { path, works: async () => (await service.request("GET", path)).status === 404 }
    }
    const changingNamed = async () => {
      const label = await named("relabeling-named")
      return { path: listOf(label), sent: { json: { name: "bug", new_name: "defect", color: "#fff" } } }
    }
    const removingNamed = async () => {
      const label = await named("unlabeling-named")
      const works = async () => (await service.request("GET", label)).status === 404
      return { path: listOf(label), sent: { json: { name: "bug" } }, works }
    }
    return { adding, changing, changingNamed, removing, removingNamed }
  }
  const [ofProject, ofGroup] = [of("Project"), of("Group")]
  return {
    "labels.addToProject": ofProject.adding,
    "labels.changeOfProject": ofProject.changing,
    "labels.removeFromProject": ofProject.removing,
    "labels.changeNamedOfProject": ofProject.changingNamed,
    "labels.removeNamedFromProject": ofProject.removingNamed,
    "labels.addToGroup": ofGroup.adding,
    "labels.changeOfGroup": ofGroup.changing,
    "labels.removeFromGroup": ofGroup.removing,
    "labels.changeNamedOfGroup": ofGroup.changingNamed,
    "labels.removeNamedFromGroup": ofGroup.removingNamed
  }
}
