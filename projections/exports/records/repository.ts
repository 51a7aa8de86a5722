import { commitNoteColumns } from "./notes.ts"
import { lines, type Records } from "./Records.ts"

const commitNotes: Records = {
  relation: "commit_notes",
  statements: [
    lines(commitNoteColumns, { from: "rm_commit_comments.comments c where c.project_id = $1", order: "c.position, c.sha" })
  ]
}

/**
 * All refs by name (branches, tags and the heads of merge requests), and then the default branch, behind a HEAD of its own: of several with
 * that id it is the last, which is the one that git takes.
 */
const refs = `
  select row_number() over (order by _r.place, _r.ref collate "C") as record, 0 as part, _r.id || ' ' || _r.ref || chr(10) as content
  from (
    select case when r.ref = 'refs/heads/' || p.default_branch then 2 else 0 end as place, r.id, r.ref
      from rm_pushes.refs r left join rm_projects.projects p on p.id = r.project_id where r.project_id = $1
    union all
    select 1, r.id, 'HEAD' from rm_projects.projects p
      join rm_pushes.refs r on r.project_id = p.id and r.ref = 'refs/heads/' || p.default_branch where p.id = $1
    union all
    select 0, m.sha, 'refs/merge-requests/' || m.iid || '/head' from rm_merge_requests.merge_requests m where m.project_id = $1
  ) _r`

export const repository: ReadonlyArray<Records> = [commitNotes, { relation: "repository", statements: [refs] }]
