import type { Commit } from "../git/objects/commit.ts"
import { isoMillis } from "../http/answer/jsonTimes.ts"
import type { Presented } from "../http/answer/Presented.ts"
import { userReference } from "../http/answer/shapes.ts"
import { presentMilestone } from "../milestones/Milestones.ts"
import { presentCommit } from "../repositories/Code.ts"
import type { Link } from "./events.ts"
import type { EvidenceRow, ReleasedMilestone, ReleaseRow, ShortReleaseRow } from "./Queries.ts"
import type { LinkShape, Release, ShortRelease } from "./shapes.ts"

/** What presents the releases of a project for a caller. */
export interface View {
  readonly externalUrl: string
  /** Full path of the project, such as `group/project`. */
  readonly projectPath: string
  /** The time in milliseconds since 1970. */
  readonly now: number
  /** Whether the caller may read the code. */
  readonly hasCode: boolean
  readonly hasMilestones: boolean
  /** Whether the caller may change the release. */
  readonly mayChange: boolean
}

/** Where a project is shown. */
type Place = Pick<View, "externalUrl" | "projectPath">

/** What belongs to one release. */
export interface Parts {
  readonly milestones: ReadonlyArray<ReleasedMilestone>
  /** Undefined where the commit is unknown. */
  readonly commit: Commit | undefined
  /** The description as HTML, if it is asked for. */
  readonly html?: string | undefined
}

const projectUrl = ({ externalUrl, projectPath }: Place): string => `${externalUrl}/${projectPath}`

const pageOf = (place: Place, tag: string): string => `${projectUrl(place)}/-/releases/${encodeURIComponent(tag)}`

/** Times are compared in whole seconds. */
const isUpcoming = (releasedAt: number, now: number): boolean => Math.floor(releasedAt / 1000) > Math.floor(now / 1000)

export const presentShort = (row: ShortReleaseRow, now: number): typeof ShortRelease.Type => ({
  name: row.name ?? row.tag,
  tag_name: row.tag,
  description: row.description,
  created_at: isoMillis(row.created_at),
  released_at: isoMillis(row.released_at),
  upcoming_release: isUpcoming(row.released_at, now)
})

export const presentLink = (link: Link, tag: string, place: Place): typeof LinkShape.Type => ({
  id: link.id,
  name: link.name,
  url: link.url,
  direct_asset_url: link.path === null ? link.url : `${pageOf(place, tag)}/downloads${link.path}`,
  link_type: link.type
})

const formats = ["zip", "tar.gz", "tar.bz2", "tar"] as const

const sourcesOf = (tag: string, view: View) => {
  const slug = view.projectPath.split("/").at(-1)
  const file = encodeURIComponent(`${slug}-${tag.replaceAll("/", "-")}`)
  return formats.map((format) => ({
    format,
    url: `${projectUrl(view)}/-/archive/${encodeURIComponent(tag)}/${file}.${format}`
  }))
}

const presentReleased = ({ issues, ...row }: ReleasedMilestone, view: View) => ({
  ...presentMilestone(row, view),
  issue_stats: { total: issues.total, closed: issues.closed }
})

const presentEvidence = ({ collected_at, id, sha256 }: EvidenceRow, tag: string, view: View) => ({
  sha: sha256,
  filepath: `${pageOf(view, tag)}/evidences/${id}.json`,
  collected_at: isoMillis(collected_at)
})

const pagesOf = (tag: string, view: View) => {
  const list = (kind: string, state: string) =>
    `${projectUrl(view)}/-/${kind}?release_tag=${encodeURIComponent(tag)}&scope=all&state=${state}`
  return {
    closed_issues_url: list("issues", "closed"),
    closed_merge_requests_url: list("merge_requests", "closed"),
    ...(view.mayChange && { edit_url: `${pageOf(view, tag)}/edit` }),
    merged_merge_requests_url: list("merge_requests", "merged"),
    opened_issues_url: list("issues", "opened"),
    opened_merge_requests_url: list("merge_requests", "opened"),
    self: pageOf(view, tag)
  }
}

export const presentRelease = (
  row: ReleaseRow,
  { commit, html, milestones }: Parts,
  view: View
): Presented<typeof Release.Type> => {
  const { author, evidences, links, tag } = row
  const { hasCode, projectPath } = view
  const showsMilestones = view.hasMilestones && milestones.length > 0
  return {
    ...presentShort(row, view.now),
    ...(html !== undefined && { description_html: html }),
    ...(author && { author: userReference(author, view.externalUrl) }),
    ...(hasCode && { commit: commit === undefined ? null : presentCommit(commit, projectUrl(view), []) }),
    ...(showsMilestones && { milestones: milestones.map((each) => presentReleased(each, view)) }),
    ...(hasCode && commit !== undefined && { commit_path: `/${projectPath}/-/commit/${commit.id}` }),
    ...(hasCode && { tag_path: `/${projectPath}/-/tags/${encodeURIComponent(tag)}` }),
    assets: {
      count: links.length + (hasCode ? formats.length : 0),
      ...(hasCode && { sources: sourcesOf(tag, view) }),
      links: links.map((link) => presentLink(link, tag, view))
    },
    ...(hasCode && { evidences: evidences.map((each) => presentEvidence(each, tag, view)) }),
    _links: pagesOf(tag, view)
  }
}
