import { listMergeRequests } from "#src/mergeRequests/lists/contract.ts"
import { words } from "../../mergeRequests/facts.ts"
import type { Attack, Requests, Target } from "../Attack.ts"
import { call, callers, readers } from "../callers.ts"

const requestsOf = ({ mergeRequests }: Target): Requests => {
  if (mergeRequests === undefined) throw new Error("There are no merge requests")
  return mergeRequests
}

const pathOf = ({ project }: Requests, iid: number): string => `/projects/${project.id}/merge_requests/${iid}`

/** Values that find many, few and none. Other parameters have each of their values, or `1`. */
const values: Readonly<Record<string, ReadonlyArray<string>>> = {
  search: [words.common, words.rare, "the case", "the nothing", "ab", "case&page=400", "the&in=title"],
  labels: ["None", "Any", "bug"],
  milestone: ["None", "#upcoming", "#started"],
  my_reaction_emoji: ["None", "thumbsup"],
  assignee_id: ["None", "Any", "9"],
  reviewer_id: ["None", "Any", "9"],
  approved_by_ids: ["None", "Any", "9"],
  approver_ids: ["None", "9"],
  source_branch: ["topic-7"],
  target_branch: ["none", "stable", "main"],
  created_after: ["2999-01-01", "2000-01-01"],
  created_before: ["2000-01-01"],
  updated_after: ["2999-01-01"],
  updated_before: ["2000-01-01"],
  page: ["1", "500", "100000"],
  per_page: ["100"]
}

const { not, scope, ...others } = listMergeRequests.parameters

/** Lists of all, with each filter alone, with one more, and in each order. */
const lists = (): ReadonlyArray<string> => {
  const pairs = Object.entries(others).flatMap(([name, parameter]) => {
    const known = values[name] ?? ("values" in parameter ? parameter.values : ["1"])
    return known.map((value) => `${name}=${value.replaceAll("#", "%23").replaceAll(" ", "%20")}`)
  })
  const excluded = Object.keys(not.fields).flatMap((name) => (values[name] ?? ["9"]).map((value) => `not[${name}]=${value}`))
  const alone = [...pairs, ...excluded.map((one) => one.replaceAll("#", "%23"))]
  return ["", "&state=opened&wip=no", "&order_by=title&sort=asc"].flatMap((more) =>
    alone.map((one) => `/merge_requests?scope=all&${one}${more}`)
  )
}

const mergeRequestLists: Attack = {
  title: "50 callers with lists of merge requests by every filter, and searches",
  needsMergeRequests: true,
  prepare: async (target) => () => readers(50, target, lists())
}

const largeChanges: Attack = {
  title: "20 callers with the changes of a merge request of 5,000 files",
  needsMergeRequests: true,
  prepare: async (target) => {
    const path = pathOf(requestsOf(target), requestsOf(target).large)
    return () =>
      readers(20, target, [
        `${path}/changes?access_raw_diffs=true`,
        `${path}/raw_diffs`,
        `${path}/diffs?per_page=100`,
        `${path}/changes`
      ])
  }
}

const json = (token: string) => ({ "private-token": token, "content-type": "application/json" })

const movingTarget: Attack = {
  title: "a branch that moves again and again, into which 1,000 merge requests lead",
  needsMergeRequests: true,
  prepare: async (target) => {
    const { attacker, url } = target
    const commits = `${url}/projects/${requestsOf(target).project.id}/repository/commits`
    const headers = json(attacker.token)
    return () =>
      callers(1, (caller, index) => {
        const action = { action: "create", file_path: `moved/${Date.now()}-${index}.txt`, content: `${index}\n` }
        const body = Buffer.from(JSON.stringify({ branch: "main", commit_message: "Move on", actions: [action] }))
        return call(caller, { method: "POST", url: commits, headers, body })
      })
  }
}

const manyMerges: Attack = {
  title: "200 merges into one branch at once, and reads of what became of them",
  needsMergeRequests: true,
  prepare: async (target) => {
    const { attacker, url } = target
    const requests = requestsOf(target)
    const { mergeable } = requests
    const headers = json(attacker.token)
    return () =>
      callers(mergeable.length, (caller, index) => {
        const path = `${url}${pathOf(requests, mergeable[caller] ?? 0)}`
        if (index > 0) return call(caller, { url: path, headers })
        return call(caller, { method: "PUT", url: `${path}/merge`, headers, body: Buffer.from("{}") })
      })
  }
}

/** What a text of a mebibyte may name again and again, another thing each time. */
const names: ReadonlyArray<(index: number) => string> = [
  (index) => `#${index} `,
  (index) => `!${index} `,
  (index) => `Closes #${index}, `,
  (index) => `@user-${index} `,
  (index) => `attacker/other-${index}#1\n`,
  (index) => `[${index}](`,
  (index) => `/label ~bug-${index}\n`,
  () => "- [ ] "
]

const mebibyte = 1_048_576

const longText = (name: (index: number) => string): string => {
  let text = ""
  for (let index = 1; text.length < mebibyte; index++) text += name(index)
  return text.slice(0, mebibyte)
}

const longDescriptions: Attack = {
  title: "8 callers who write descriptions of 1 MiB that are all references, and read them as HTML",
  needsMergeRequests: true,
  prepare: async (target) => {
    const { attacker, url } = target
    const requests = requestsOf(target)
    const headers = json(attacker.token)
    const bodies = names.map((name) => Buffer.from(JSON.stringify({ description: longText(name) })))
    const reads = ["?render_html=true", "/closes_issues", "/related_issues", "/participants"]
    return () =>
      callers(8, (caller, index) => {
        const path = `${url}${pathOf(requests, requests.waiting[caller] ?? 0)}`
        const read = reads[index % (reads.length + 1)]
        if (read !== undefined) return call(caller, { url: `${path}${read}`, headers })
        const body = bodies[(caller + index) % bodies.length] ?? Buffer.from("{}")
        return call(caller, { method: "PUT", url: path, headers, body })
      })
  }
}

export const mergeRequests = { mergeRequestLists, largeChanges, movingTarget, manyMerges, longDescriptions }
