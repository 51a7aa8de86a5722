import { array, timeOf, timeUnder } from "./json.ts"
import { lines, type Records } from "./Records.ts"
import { milestone } from "./shared.ts"

const ofRelease = (alias: string): string => `${alias}.project_id = r.project_id and ${alias}.tag = r.tag`

const links =
  array(`select _l.url, _l.name, ${timeUnder("created_at", "r", "created_at")}, ${timeUnder("updated_at", "r", "updated_at")},
  _l.path as filepath, _l.type as link_type from rm_releases.links _l where ${ofRelease("_l")} order by _l.id`)

const milestones = array(`select ${milestone("_j.milestone_id")} as milestone from rm_releases.milestones _j
  where ${ofRelease("_j")} and exists (select from rm_milestones.milestones _x where _x.id = _j.milestone_id)
  order by _j.milestone_id`)

export const releases: Records = {
  relation: "releases",
  statements: [
    lines(
      `r.tag, r.description, r.project_id, r.author_id, ${timeOf("r", "created_at")}, ${timeOf("r", "updated_at")},
      coalesce(r.name, r.tag) as name, r.sha, ${timeOf("r", "released_at")}, ${links} as links, ${milestones} as milestone_releases`,
      { from: "rm_releases.releases r where r.project_id = $1", order: "r.id" }
    )
  ]
}
