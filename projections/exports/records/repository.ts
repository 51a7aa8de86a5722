import { commitNoteColumns } from "./notes.ts"
import { lines, type Records } from "./Records.ts"

const commitNotes: Records = {
  relation: "commit_notes",
  statements: [
    lines(commitNoteColumns, { from: "rm_commit_comments.comments c where c.project_id = $1", order: "c.position, c.sha" })
  ]
}

/** The default branch, then all refs by name: branches, tags and the heads of merge requests. */
const refs = `
  select row_number() over (order by _r.place, _r.ref collate "C") as record, 0 as part, _r.id || ' ' || _r.ref || chr(10) as content
  from (
    select 0 as place, r.id, 'HEAD' as ref from rm_projects.projects p
      join rm_pushes.refs r on r.project_id = p.id and r.ref = 'refs/heads/' || p.default_branch where p.id = $1
    union all
    select 1, r.id, r.ref from rm_pushes.refs r where r.project_id = $1
    union all
    select 1, m.sha, 'refs/merge-requests/' || m.iid || '/head' from rm_merge_requests.merge_requests m where m.project_id = $1
  ) _r`

export const repository: ReadonlyArray<Records> = [commitNotes, { relation: "repository", statements: [refs] }]
