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
  /** Of an issue it is text. */
  const ordering = { json: { body: "Looks good.\n/spend 1h\n/todo" } }
  /** How many notes there are in all discussions together. */
  const countOf = async (path: string) => {
    const { body } = await service.request("GET", `${path}/notes`, { query: { activity_filter: "only_comments" } })
    return Array.isArray(body) ? body.length : undefined
  }
  const openedIssue = async (name: string) => {
    const { body } = await service.request("POST", `/projects/${await newProject(name)}/issues`, { json: { title: name } })
    return `/projects/${field(body, "project_id")}/issues/${field(body, "iid")}`
  }
  /** A thread of one note. */
  const threadAbout = async (path: string) => {
    const { body } = await service.request("POST", `${path}/discussions`, text)
    const [note] = [field(body, "notes")].flat()
    return { path, discussion: `${path}/discussions/${field(body, "id")}`, note: `notes/${field(note, "id")}` }
  }
  const thread = async (name: string) => threadAbout(await opened(name))
  const changing = { json: { body: "Looks better." } }
  const resolving = { json: { resolved: true } }
  /** Those of notes of anything, each about a new one. */
  const ofAny = (kind: string, make: (name: string) => Promise<string>): Writes => {
    const about = async (name: string) => threadAbout(await make(`${kind}-${name}`))
    const awardsAt = async (path: string) => [(await service.request("GET", path)).body].flat().length
    return {
      [`${kind}Notes.change`]: async () => {
        const { note, path } = await about("changing-notes")
        return { path: `${path}/${note}`, sent: changing }
      },
      [`${kind}Notes.delete`]: async () => {
        const { note, path } = await about("deleting-notes")
        return { path: `${path}/${note}`, works: async () => (await countOf(path)) === 0 }
      },
      [`${kind}Notes.award`]: async () => {
        const { note, path } = await about("awarding-notes")
        const awards = `${path}/${note}/award_emoji`
        return { path: awards, sent: { json: { name: "thumbsup" } }, works: async () => (await awardsAt(awards)) === 1 }
      },
      [`${kind}Notes.takeAwardBack`]: async () => {
        const { note, path } = await about("taking-back")
        const awards = `${path}/${note}/award_emoji`
        const { body } = await service.request("POST", awards, { json: { name: "thumbsup" } })
        return { path: `${awards}/${field(body, "id")}`, works: async () => (await awardsAt(awards)) === 0 }
      },
      [`${kind}Discussions.create`]: async () => {
        const path = await make(`${kind}-discussing`)
        return { path: `${path}/discussions`, sent: ordering, works: async () => (await countOf(path)) === 1 }
      },
      [`${kind}Discussions.reply`]: async () => {
        const { discussion, path } = await about("replying")
        return { path: `${discussion}/notes`, sent: ordering, works: async () => (await countOf(path)) === 2 }
      },
      [`${kind}Discussions.deleteNote`]: async () => {
        const { discussion, note, path } = await about("deleting-replies")
        return { path: `${discussion}/${note}`, works: async () => (await countOf(path)) === 0 }
      }
    }
  }
  return {
    ...ofAny("mergeRequest", opened),
    ...ofAny("issue", openedIssue),
    "issueNotes.create": async () => {
      const path = await openedIssue("noting-issues")
      return { path: `${path}/notes`, sent: text, works: async () => (await countOf(path)) === 1 }
    },
    "issueDiscussions.changeNote": async () => {
      const { discussion, note } = await threadAbout(await openedIssue("changing-replies"))
      return { path: `${discussion}/${note}`, sent: changing }
    },
    "mergeRequestNotes.create": async () => {
      const path = await opened("noting")
      await service.request("POST", `${path.split("/merge_requests")[0]}/labels`, { json: { name: "bug", color: "#000000" } })
      const sent = { json: { body: "Looks good.\n/spend 1h\n/label ~bug\n/todo\n/unsubscribe\n/approve" } }
      const works = async () => {
        const { body } = await service.request("GET", path)
        const told = [field(field(body, "time_stats"), "total_time_spent"), field(body, "labels"), field(body, "subscribed")]
        return (await countOf(path)) === 1 && JSON.stringify(told) === '[3600,["bug"],false]'
      }
      return { path: `${path}/notes`, sent, works }
    },
    "mergeRequestDiscussions.resolve": async () => {
      const { discussion } = await thread("resolving")
      return { path: discussion, sent: resolving }
    },
    "mergeRequestDiscussions.changeNote": async () => {
      const { discussion, note } = await thread("resolving-notes")
      return { path: `${discussion}/${note}`, sent: resolving }
    }
  }
}
