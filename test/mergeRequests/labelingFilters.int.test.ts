import { beforeAll, describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { useMergeRequests } from "./useMergeRequests.ts"

const { commit, newProject, open, pathOf, service } = useMergeRequests()
const { request } = service

const made = async (path: string, json: object) => Number(field((await request("POST", path, { json })).body, "id"))
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

let group = 0
let project = 0

/** Numbers of merge requests, by what they have. */
const opened = [
  { labels: "bug" },
  { labels: "bug,urgent", milestone: "begun" },
  { labels: "Bug" },
  { labels: "urgent", milestone: "next" },
  {},
  { labels: "deleted", milestone: "deleted" },
  { milestone: "later" },
  { labels: "of the group,bug,urgent", milestone: "closed" },
  { labels: "a,b,c,d,e" }
]

beforeAll(async () => {
  group = await made("/groups", { name: "filtered", path: "filtered" })
  project = await newProject("filtered-project", { namespace_id: group })
  await made(`/groups/${group}/labels`, { name: "of the group", color: "red" })
  const milestones = new Map<string, number>()
  const times = {
    begun: { start_date: day(-2), due_date: day(20) },
    next: { due_date: day(5), start_date: day(2) },
    later: { due_date: day(9) },
    closed: { start_date: day(-9), due_date: day(3) },
    deleted: { start_date: day(-9) }
  }
  for (const [title, json] of Object.entries(times))
    milestones.set(title, await made(`/projects/${project}/milestones`, { title, ...json }))
  for (const [index, { labels = "", milestone }] of opened.entries()) {
    const source_branch = `filtered-${index}`
    await commit(project, source_branch, { [`${source_branch}.txt`]: "a\n" })
    await open(project, { source_branch, labels, milestone_id: milestones.get(milestone ?? "") ?? 0 })
  }
  await request("PUT", `/projects/${project}/milestones/${milestones.get("closed")}`, { json: { state_event: "close" } })
  await request("DELETE", `/projects/${project}/milestones/${milestones.get("deleted")}`)
  await request("DELETE", `/projects/${project}/labels/deleted`)
})

const iidsIn = async (path: string, query: Readonly<Record<string, string>>) => {
  const { body } = await request("GET", path, { query: { sort: "asc", ...query } })
  return Array.isArray(body) ? body.map((one) => field(one, "iid")) : body
}

const rows: ReadonlyArray<readonly [Readonly<Record<string, string>>, ReadonlyArray<number>]> = [
  [{ labels: "bug" }, [1, 2, 8]],
  [{ labels: "Bug" }, [3]],
  [{ labels: " bug , urgent" }, [2, 8]],
  [{ labels: "bug,urgent,of the group,bug" }, [8]],
  [{ labels: "bug,unknown" }, []],
  [{ labels: "a,b,c,d,e" }, [9]],
  [{ labels: "e,d,b,unknown,a" }, []],
  [{ labels: "a,b,c,d,bug" }, []],
  [{ labels: "None" }, [5, 6, 7]],
  [{ labels: "bug,nOnE,any" }, [5, 6, 7]],
  [{ labels: "ANY" }, [1, 2, 3, 4, 8, 9]],
  [{ labels: "bug,Any" }, [1, 2, 3, 4, 8, 9]],
  [{ labels: "" }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [{ "labels[]": "urgent,bug" }, [2, 8]],
  [{ "not[labels]": "bug,urgent" }, [3, 5, 6, 7, 9]],
  [{ "not[labels]": "unknown" }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [{ "not[labels]": "bug", labels: "urgent" }, [4]],
  [{ milestone: "begun" }, [2]],
  [{ milestone: "Begun" }, []],
  [{ milestone: "none" }, [1, 3, 5, 6, 9]],
  [{ milestone: "No Milestone" }, [1, 3, 5, 6, 9]],
  [{ milestone: "Any" }, [2, 4, 7, 8]],
  [{ milestone: "Any Milestone" }, [2, 4, 7, 8]],
  [{ milestone: "#started" }, [2]],
  [{ milestone: "#upcoming" }, [4]],
  [{ milestone: "deleted" }, []],
  [{ milestone: "" }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [{ "not[milestone]": "begun" }, [1, 3, 4, 5, 6, 7, 8, 9]],
  [{ "not[milestone]": "None" }, [2, 4, 7, 8]],
  [{ "not[milestone]": "unknown" }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [{ "not[labels]": "", "not[milestone]": "" }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [{ labels: "urgent", milestone: "next", "not[milestone]": "begun" }, [4]]
]

describe("lists by labels and milestones", () => {
  it.each(rows)("%j finds %j", async (query, iids) => {
    expect(await iidsIn(pathOf(project), query)).toEqual(iids)
  })

  it("are of groups and of all too", async () => {
    for (const path of [`/groups/${group}/merge_requests`, "/merge_requests"])
      expect(await iidsIn(path, { labels: "bug,urgent", milestone: "Any" })).toEqual([2, 8])
  })
})
