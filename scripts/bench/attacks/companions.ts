import { Schema } from "effect"
import { ask, type Service } from "../service.ts"
import type { Hosted } from "./Attack.ts"

const Made = Schema.Struct({ id: Schema.Int })
const Numbered = Schema.Struct({ iid: Schema.Int })
const Discussion = Schema.Struct({ id: Schema.String, notes: Schema.NonEmptyArray(Made) })
const Events = Schema.NonEmptyArray(Made)
const Released = Schema.Struct({ assets: Schema.Struct({ links: Schema.NonEmptyArray(Made) }) })

/** A release with a file elsewhere. */
const release = {
  tag_name: "v0.0",
  assets: { links: [{ name: "tool", url: "https://example.com/tool", direct_asset_path: "/tool" }] }
}

/** What paths of endpoints name, by the beginning of the path. */
export type Companions = Readonly<Record<string, Readonly<Record<string, string | number>>>>

const emoji = { name: "thumbsup" }

/** Makes what hangs on projects, groups, issues and merge requests, once each. The merge request is as large as half of the history. */
export const makeCompanions = async (service: Service, { id }: Hosted, groupId: number): Promise<Companions> => {
  const post = (path: string, body: object = {}) => ask(service, "POST", path, body)
  const idOf = async (path: string, body: object) => Schema.decodeUnknownSync(Made)(await post(path, body)).id
  const iidOf = async (path: string, body: object) => Schema.decodeUnknownSync(Numbered)(await post(path, body)).iid
  const eventOf = async (path: string) => Schema.decodeUnknownSync(Events)(await ask(service, "GET", path))[0].id
  /** What issues and merge requests have alike. */
  const around = async (path: string, iid: number) => {
    await ask(service, "PUT", path, { state_event: "close" })
    await ask(service, "PUT", path, { state_event: "reopen" })
    const discussion = Schema.decodeUnknownSync(Discussion)(await post(`${path}/discussions`, { body: "Why?" }))
    const [{ id: note_id }] = discussion.notes
    const award_id = await idOf(`${path}/award_emoji`, emoji)
    await post(`${path}/notes/${note_id}/award_emoji`, emoji)
    return {
      noteable_id: iid,
      discussion_id: discussion.id,
      note_id,
      award_id,
      event_id: await eventOf(`${path}/resource_state_events`)
    }
  }
  const [project, group] = [`/projects/${id}`, `/groups/${groupId}`]
  const label = { name: "bug", color: "#ff0000" }
  await post(`${project}/labels`, label)
  await post(`${group}/labels`, label)
  const milestone_id = await idOf(`${project}/milestones`, { title: "1.0" })
  const ofGroup = await idOf(`${group}/milestones`, { title: "1.0" })
  const environment = { name: "production", external_url: "https://example.com" }
  const environment_id = await idOf(`${project}/environments`, environment)
  const deployment = { environment: "production", sha: "main", ref: "main", tag: false, status: "success" }
  const deployment_id = await idOf(`${project}/deployments`, deployment)
  const issue_iid = await iidOf(`${project}/issues`, { title: "It fails" })
  const branches = { source_branch: "main", target_branch: "feature-100" }
  const description = `Closes #${issue_iid}`
  const merge_request_iid = await iidOf(`${project}/merge_requests`, { title: "Bring it all", description, ...branches })
  const [{ id: link_id }] = Schema.decodeUnknownSync(Released)(await post(`${project}/releases`, release)).assets.links
  const request = `${project}/merge_requests/${merge_request_iid}`
  await ask(service, "PUT", request, { labels: "bug", milestone_id })
  return {
    "/groups/": { name: "bug", milestone_id: ofGroup },
    "/projects/:id/": { name: "bug", milestone_id, environment_id, deployment_id },
    "/projects/:id/releases/": { link_id, direct_asset_path: "tool", suffix_path: "downloads/tool" },
    "/projects/:id/issues/": { issue_iid, ...(await around(`${project}/issues/${issue_iid}`, issue_iid)) },
    "/projects/:id/merge_requests/": { merge_request_iid, ...(await around(request, merge_request_iid)) },
    "/projects/:id/merge_requests/:merge_request_iid/resource_label_events": {
      event_id: await eventOf(`${request}/resource_label_events`)
    },
    "/projects/:id/merge_requests/:merge_request_iid/resource_milestone_events": {
      event_id: await eventOf(`${request}/resource_milestone_events`)
    }
  }
}

/** What a path names: what stands under a longer beginning counts more. */
export const namedIn = (companions: Companions, path: string): Readonly<Record<string, string | number>> =>
  Object.assign({}, ...Object.entries(companions).flatMap(([beginning, values]) => (path.startsWith(beginning) ? [values] : [])))
