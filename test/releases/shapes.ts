import { defined } from "#src/kernel/defined.ts"
import { field } from "#test/support/exactly.ts"
import { rootReference } from "#test/support/people/userReference.ts"
import { at, type Project } from "./useReleases.ts"

interface Shown {
  readonly tag: string
  /** The minute in which it was created. */
  readonly made?: number
  readonly links?: ReadonlyArray<object>
  /** Whether the reader sees the code of the project; default: yes. */
  readonly hasCode?: boolean
  /** Whether the reader may change the release; default: yes. */
  readonly mayChange?: boolean
}

const linksOf = (project: string, tag: string, mayChange: boolean) =>
  defined({
    closed_issues_url: `${project}/-/issues?release_tag=${tag}&scope=all&state=closed`,
    closed_merge_requests_url: `${project}/-/merge_requests?release_tag=${tag}&scope=all&state=closed`,
    edit_url: mayChange ? `${project}/-/releases/${tag}/edit` : undefined,
    merged_merge_requests_url: `${project}/-/merge_requests?release_tag=${tag}&scope=all&state=merged`,
    opened_issues_url: `${project}/-/issues?release_tag=${tag}&scope=all&state=opened`,
    opened_merge_requests_url: `${project}/-/merge_requests?release_tag=${tag}&scope=all&state=opened`,
    self: `${project}/-/releases/${tag}`
  })

const sourcesOf = (project: string, tag: string) =>
  ["zip", "tar.gz", "tar.bz2", "tar"].map((format) => ({
    format,
    url: `${project}/-/archive/${encodeURIComponent(tag)}/${project.split("/").at(-1)}-${tag.replaceAll("/", "-")}.${format}`
  }))

/** A release that root created, in the order of the reference, with `more` in its place. */
export const releaseShape = (
  url: string,
  { commit, path }: Project,
  { hasCode = true, links = [], made = 0, mayChange = true, tag }: Shown,
  more: object = {}
) => {
  const [project, escaped] = [`${url}/${path}`, encodeURIComponent(tag)]
  return defined({
    name: tag,
    tag_name: tag,
    description: null,
    created_at: at(made),
    released_at: at(made),
    upcoming_release: false,
    description_html: undefined,
    author: rootReference(url),
    commit: hasCode ? commit : undefined,
    milestones: undefined,
    commit_path: hasCode ? `/${path}/-/commit/${field(commit, "id")}` : undefined,
    tag_path: hasCode ? `/${path}/-/tags/${escaped}` : undefined,
    assets: defined({
      count: links.length + (hasCode ? 4 : 0),
      sources: hasCode ? sourcesOf(project, tag) : undefined,
      links
    }),
    evidences: hasCode ? [] : undefined,
    _links: linksOf(project, escaped, mayChange),
    ...more
  })
}

/** A milestone of a project, as its releases show it. */
export const milestoneShape = (
  url: string,
  { id: project_id, path }: Project,
  { id, iid, title }: { readonly id: number; readonly iid: number; readonly title: string },
  { closed = 0, total = 0, ...more }: { readonly total?: number; readonly closed?: number; readonly [name: string]: unknown } = {}
) => ({
  id,
  iid,
  project_id,
  title,
  description: null,
  state: "active",
  created_at: at(0),
  updated_at: at(0),
  due_date: null,
  start_date: null,
  expired: false,
  web_url: `${url}/${path}/-/milestones/${iid}`,
  issue_stats: { total, closed },
  ...more
})
