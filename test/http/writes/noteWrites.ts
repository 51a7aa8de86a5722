import { field } from "#test/support/exactly.ts"
import type { TestService } from "#test/support/service.ts"
import { makers, type Writes } from "./Write.ts"

/** Of notes and discussions. */
export const noteWrites = (service: TestService, run: number): Writes => {
  const { newProject } = makers(service, run)
  /** An open merge request; answers its path. */
  const opened = async (name: string) => {
    const id = await newProject(name)
    const commit = (branch: string, file_path: string, more: object = {}) =>
      service.request("POST", `/projects/${id}/repository/commits`, {
        json: { branch, commit_message: "Add", actions: [{ action: "create", file_path, content: "a" }], ...more }
      })
    await commit("main", "a")
    await commit("topic", "b", { start_branch: "main" })
    const json = { title: "Add b", source_branch: "topic", target_branch: "main" }
    const { body } = await service.request("POST", `/projects/${id}/merge_requests`, { json })
    return `/projects/${id}/merge_requests/${field(body, "iid")}`
  }
  const text = { json: { body: "Looks good." } }
  /** How many notes there are in all discussions together. */
  const countOf = async (path: string) => {
    const { body } = await service.request("GET", `${path}/notes`, { query: { activity_filter: "only_comments" } })
    return Array.isArray(body) ? body.length : undefined
  }
  const written = (name: string, deed: "discussions" | "notes") => async () => {
    const path = await opened(name)
    return { path: `${path}/${deed}`, sent: text, works: async () => (await countOf(path)) === 1 }
  }
  /** A thread of one note. */
  const thread = async (name: string) => {
    const path = await opened(name)
    const { body } = await service.request("POST", `${path}/discussions`, text)
    const [note] = [field(body, "notes")].flat()
    return { path, discussion: `${path}/discussions/${field(body, "id")}`, note: `notes/${field(note, "id")}` }
  }
  const changing = { json: { body: "Looks better." } }
  const resolving = { json: { resolved: true } }
  return {
    "mergeRequestNotes.create": written("noting", "notes"),
    "mergeRequestNotes.change": async () => {
      const { note, path } = await thread("changing-notes")
      return { path: `${path}/${note}`, sent: changing }
    },
    "mergeRequestNotes.delete": async () => {
      const { note, path } = await thread("deleting-notes")
      return { path: `${path}/${note}`, works: async () => (await countOf(path)) === 0 }
    },
    "mergeRequestDiscussions.create": written("discussing", "discussions"),
    "mergeRequestDiscussions.resolve": async () => {
      const { discussion } = await thread("resolving")
      return { path: discussion, sent: resolving }
    },
    "mergeRequestDiscussions.reply": async () => {
      const { discussion, path } = await thread("replying")
      return { path: `${discussion}/notes`, sent: text, works: async () => (await countOf(path)) === 2 }
    },
    "mergeRequestDiscussions.changeNote": async () => {
      const { discussion, note } = await thread("resolving-notes")
      return { path: `${discussion}/${note}`, sent: resolving }
    },
    "mergeRequestDiscussions.deleteNote": async () => {
      const { discussion, note, path } = await thread("deleting-replies")
      return { path: `${discussion}/${note}`, works: async () => (await countOf(path)) === 0 }
    }
  }
}
