import { field } from "#test/support/exactly.ts"
import type { Received, TestService } from "#test/support/service.ts"
import { idOf, makers, type Writes } from "./Write.ts"

/** Of merge requests. */
export const mergeRequestWrites = (service: TestService, run: number): Writes => {
  const { isShown, newProject } = makers(service, run)
  /** A project with a commit on `main` and another one on `topic`; answers the path of its merge requests. */
  const project = async (name: string, configuration = "a") => {
    const id = await newProject(name)
    const commit = (branch: string, file_path: string, more: object = {}) =>
      service.request("POST", `/projects/${id}/repository/commits`, {
        json: { branch, commit_message: "Add", actions: [{ action: "create", file_path, content: configuration }], ...more }
      })
    await commit("main", "a")
    await commit("topic", ".gitlab-ci.yml", { start_branch: "main" })
    return `/projects/${id}/merge_requests`
  }
  const complete = { title: "Add b", source_branch: "topic", target_branch: "main", labels: "bug" }
  /** An open merge request; answers its path. */
  const opened = async (name: string, configuration?: string) => {
    const path = await project(name, configuration)
    const { body } = await service.request("POST", path, { json: complete })
    return `${path}/${field(body, "iid")}`
  }
  /** A merge request, by its path, and another one of the same project. */
  const pair = async (name: string) => {
    const path = await opened(name)
    const json = { title: "Back", source_branch: "main", target_branch: "topic" }
    const { body } = await service.request("POST", path.replace(/\/\d+$/, ""), { json })
    return { path, body }
  }
  const approvedOne = async (name: string) => {
    const path = await opened(name)
    await service.request("POST", `${path}/approve`)
    return path
  }
  const approvers = async (path: string) => {
    const { body } = await service.request("GET", `${path}/approvals`)
    return [field(body, "approved_by")].flat().map((approval) => field(field(approval, "user"), "username"))
  }
  const rule = { name: "Security", approvals_required: 1, user_ids: [1] }
  const isGone = (path: string) => async () => (await service.request("GET", path)).status === 404
  const timed =
    (name: string, deed: string, json: object = {}) =>
    async () => ({
      path: `${await opened(name)}/${deed}`,
      sent: { json }
    })
  return {
    "mergeRequests.create": async () => {
      const path = await project("opening")
      const works = async () => {
        const { body } = await service.request("GET", path)
        const [one] = Array.isArray(body) ? body : []
        return Array.isArray(body) && body.length === 1 && field(field(one, "time_stats"), "total_time_spent") === 3_600
      }
      return { path, sent: { json: { ...complete, description: "/spend 1h\n/estimate 2h" } }, works }
    },
    "mergeRequests.change": async () => ({
      path: await opened("changing-requests"),
      sent: {
        json: {
          title: "Add more",
          add_labels: "new,urgent",
          remove_labels: "bug",
          state_event: "close",
          description: "/spend 1h\n/lock"
        }
      }
    }),
    "mergeRequests.merge": async () => {
      const path = await opened("merging")
      const works = async () => field((await service.request("GET", path)).body, "state") === "merged"
      return { path: `${path}/merge`, works }
    },
    "mergeRequests.cancelAutoMerge": async () => {
      const path = await opened("waiting")
      const { body } = await service.request("GET", path)
      const statuses = `/projects/${field(body, "project_id")}/statuses/${field(body, "sha")}`
      await service.request("POST", statuses, { json: { state: "running", ref: "topic" } })
      await service.request("PUT", `${path}/merge`, { json: { merge_when_pipeline_succeeds: true } })
      return { path: `${path}/cancel_merge_when_pipeline_succeeds` }
    },
    "mergeRequests.createPipeline": async () => {
      const path = `${await opened("reviewing", "review: { script: make, only: [merge_requests] }")}/pipelines`
      const works = async () => {
        const { body } = await service.request("GET", path)
        return Array.isArray(body) && body.length === 1
      }
      return { path, works }
    },
    "mergeRequests.rebase": timed("rebasing", "rebase", { skip_ci: true }),
    "mergeRequests.subscribe": async () => {
      const path = await opened("subscribing")
      await service.request("POST", `${path}/unsubscribe`)
      return { path: `${path}/subscribe` }
    },
    "mergeRequests.unsubscribe": timed("unsubscribing", "unsubscribe"),
    "mergeRequests.estimateTime": timed("estimating", "time_estimate", { duration: "1h" }),
    "mergeRequests.resetTimeEstimate": timed("estimating-anew", "reset_time_estimate"),
    "mergeRequests.addSpentTime": timed("spending", "add_spent_time", { duration: "1h" }),
    "mergeRequests.resetSpentTime": timed("spending-nothing", "reset_spent_time"),
    "mergeRequests.createBlock": async () => {
      const { body, path } = await pair("blocking")
      return { path: `${path}/blocks`, sent: { json: { blocking_merge_request_id: field(body, "id") } } }
    },
    "mergeRequests.deleteBlock": async () => {
      const { body, path } = await pair("unblocking")
      const json = { blocking_merge_request_id: field(body, "id") }
      const block = await service.request("POST", `${path}/blocks`, { json })
      return { path: `${path}/blocks/${field(block.body, "id")}` }
    },
    "mergeRequests.addContextCommits": timed("giving-context", "context_commits", { commits: ["main"] }),
    "mergeRequests.removeContextCommits": async () => {
      const path = `${await opened("taking-context")}/context_commits`
      const sent = { json: { commits: ["main"] } }
      await service.request("POST", path, sent)
      return { path, sent }
    },
    "mergeRequests.delete": async () => {
      const path = await opened("forgetting-requests")
      return { path, works: isGone(path) }
    },
    "mergeRequests.approve": async () => {
      const path = await opened("approving")
      return { path: `${path}/approve`, works: async () => (await approvers(path)).join() === "root" }
    },
    "mergeRequests.unapprove": async () => {
      const path = await approvedOne("disapproving")
      return { path: `${path}/unapprove`, works: async () => (await approvers(path)).length === 0 }
    },
    "mergeRequests.resetApprovals": async () => {
      const path = await approvedOne("resetting")
      return { path: `${path}/reset_approvals`, works: async () => (await approvers(path)).length === 0 }
    },
    "mergeRequests.addApprovalRule": async () => {
      const path = await opened("ruling")
      const works = async (first: Received) => {
        const { body } = await service.request("GET", `${path}/approval_rules`)
        return Array.isArray(body) && body.map((rule) => field(rule, "id")).join() === String(idOf(first))
      }
      return { path: `${path}/approval_rules`, sent: { json: rule }, works }
    },
    "todos.addForMergeRequest": async () => ({ path: `${await opened("waiting")}/todo` }),
    "todos.markAsDone": async () => {
      const { body } = await service.request("POST", `${await opened("finishing")}/todo`)
      return { path: `/todos/${field(body, "id")}/mark_as_done` }
    },
    "todos.markAllAsDone": async () => {
      await service.request("POST", "/todos/mark_as_done")
      for (const name of ["finishing-all", "finishing-more"]) await service.request("POST", `${await opened(name)}/todo`)
      const works = async () => {
        const { body } = await service.request("GET", "/todos")
        return Array.isArray(body) && body.length === 0
      }
      return { path: "/todos/mark_as_done", works }
    },
    "mergeRequests.award": async () => {
      const path = `${await opened("awarding")}/award_emoji`
      return { path, sent: { json: { name: "thumbsup" } }, works: isShown(path) }
    },
    "mergeRequests.takeAwardBack": async () => {
      const path = `${await opened("taking-back")}/award_emoji`
      const award = `${path}/${idOf(await service.request("POST", path, { json: { name: "thumbsup" } }))}`
      return { path: award, works: isGone(award) }
    },
    "mergeRequests.removeApprovalRule": async () => {
      const path = await opened("overruling")
      const added = await service.request("POST", `${path}/approval_rules`, { json: rule })
      const works = async () => {
        const { body } = await service.request("GET", `${path}/approval_rules`)
        return Array.isArray(body) && body.length === 0
      }
      return { path: `${path}/approval_rules/${idOf(added)}`, works }
    }
  }
}
