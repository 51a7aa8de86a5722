import { Schema } from "effect"
import { isTagName } from "../../../git/refs/refNames.ts"
import { faultsOf } from "../../../kernel/faults.ts"
import { bodyFault } from "../../../notes/faults.ts"
import type { RefKind } from "../../../projects/events.ts"
import { protectionFaults } from "../../../projects/protectionFaults.ts"
import { areTooMany, TooManyLinks } from "../../../releases/aggregate.ts"
import { type Link, LinkType } from "../../../releases/events.ts"
import { linkFaults, releaseFaults } from "../../../releases/faults.ts"
import { Milestone, textFaults } from "./issuables.ts"
import { among, amongOrNull, flag, judgedBy, Line, list, orNull, Sha, Text, Time, times, truth } from "./values.ts"

const ReleaseLink = Schema.Struct({
  url: Text,
  name: Text,
  filepath: orNull(Text),
  link_type: among(LinkType.literals, "other")
})

/** Links as a release has them, with these ids. */
export const linksOf = (links: ReadonlyArray<typeof ReleaseLink.Type>, ids: ReadonlyArray<number>): ReadonlyArray<Link> =>
  links.map(({ filepath, link_type, name, url }, index) => ({
    id: ids[index] ?? 0,
    name,
    url,
    path: filepath,
    type: link_type ?? "other"
  }))

/** What is wrong with links beside one another, in sentences. */
const faultsOfLinks = (records: ReadonlyArray<typeof ReleaseLink.Type>): ReadonlyArray<string> => {
  const links = linksOf(records, [...records.keys()])
  return areTooMany(links) ? [new TooManyLinks().message] : links.flatMap((link) => linkFaults(link, links))
}

export const Release = Schema.Struct({
  tag: Text,
  description: orNull(Text),
  author_id: orNull(Schema.Int),
  ...times,
  name: orNull(Text),
  sha: Sha,
  released_at: orNull(Time),
  links: list(ReleaseLink),
  milestone_releases: list(Schema.Struct({ milestone: orNull(Milestone) }))
}).check(
  judgedBy(({ description, links, name, tag }) => [
    ...faultsOf("tag", isTagName(tag) ? [] : ["is no name of a tag"]),
    // One without a name is told by its tag.
    ...releaseFaults({ name: name === tag ? null : name, description }),
    ...faultsOf("links", faultsOfLinks(links))
  ])
)
export type Release = typeof Release.Type

const Grant = Schema.Struct({ access_level: orNull(Schema.Int), user_id: orNull(Schema.Int), group_id: orNull(Schema.Int) })
export type Grant = typeof Grant.Type

/** The levels that may do something, beside single users and groups. */
export const levelsIn = (grants: ReadonlyArray<Grant>): ReadonlyArray<number> =>
  grants.flatMap(({ access_level, group_id, user_id }) =>
    user_id === null && group_id === null && access_level !== null ? [access_level] : []
  )

const ProtectedRef = Schema.Struct({
  name: Text,
  updated_at: Time,
  allow_force_push: flag,
  merge_access_levels: list(Grant),
  push_access_levels: list(Grant),
  create_access_levels: list(Grant)
})
export type ProtectedRef = typeof ProtectedRef.Type

/** The levels whose members may push to a branch, or create a tag. */
export const pushLevels = (kind: RefKind, { create_access_levels, push_access_levels }: ProtectedRef): ReadonlyArray<number> =>
  levelsIn(kind === "branch" ? push_access_levels : create_access_levels)

const grantsOf = (levels: ReadonlyArray<number>) => levels.map((accessLevel) => ({ id: 0, accessLevel }))

/** The protection of a branch or of a tag. */
export const protectedRef = (kind: RefKind) =>
  ProtectedRef.check(
    Schema.makeFilter((record) => {
      const [push, merge] = [pushLevels(kind, record), kind === "branch" ? levelsIn(record.merge_access_levels) : []]
      const { allow_force_push: allowForcePush, name } = record
      return protectionFaults({ id: 0, kind, name, allowForcePush, push: grantsOf(push), merge: grantsOf(merge) })
    })
  )

export const CommitNote = Schema.Struct({
  note: Text,
  author_id: orNull(Schema.Int),
  created_at: Time,
  commit_id: orNull(Text),
  system: flag,
  position: orNull(Schema.Unknown)
}).check(judgedBy(({ note, system }) => textFaults("note", system ? undefined : bodyFault(note))))
export type CommitNote = typeof CommitNote.Type

/** The line that a comment on a commit is about: as this service tells it, or by its number before and after the commit. */
export const CommentedPlace = Schema.Struct({
  new_path: Text,
  line: orNull(Line),
  line_type: orNull(Schema.Literals(["new", "old"])),
  old_line: orNull(Line),
  new_line: orNull(Line)
})

const level = orNull(Schema.Literals([0, 10, 20, 30]))

export const ProjectFeature = Schema.Struct({
  merge_requests_access_level: level,
  issues_access_level: level,
  wiki_access_level: level,
  snippets_access_level: level,
  builds_access_level: level,
  repository_access_level: level,
  pages_access_level: level,
  forking_access_level: level,
  monitor_access_level: level,
  analytics_access_level: level,
  security_and_compliance_access_level: level,
  container_registry_access_level: level,
  package_registry_access_level: level,
  environments_access_level: level,
  feature_flags_access_level: level,
  releases_access_level: level,
  infrastructure_access_level: level,
  model_experiments_access_level: level,
  model_registry_access_level: level
})
export type ProjectFeature = typeof ProjectFeature.Type

export const AutoDevops = Schema.Struct({
  enabled: flag,
  deploy_strategy: amongOrNull(["continuous", "manual", "timed_incremental"])
})
export type AutoDevops = typeof AutoDevops.Type

export const CiCdSettings = Schema.Struct({ group_runners_enabled: flag, default_git_depth: orNull(Schema.Int) })
export type CiCdSettings = typeof CiCdSettings.Type

const text = orNull(Text)

/** The attributes of the project itself. */
export const Self = Schema.Struct({
  description: text,
  visibility_level: orNull(Schema.Literals([0, 10, 20])),
  archived: truth,
  merge_requests_rebase_enabled: truth,
  merge_requests_ff_only_enabled: truth,
  build_timeout: orNull(Schema.Int),
  build_allow_git_fetch: truth,
  public_builds: truth,
  only_allow_merge_if_pipeline_succeeds: truth,
  only_allow_merge_if_all_discussions_are_resolved: truth,
  remove_source_branch_after_merge: truth,
  request_access_enabled: truth,
  shared_runners_enabled: truth,
  suggestion_commit_message: text,
  auto_cancel_pending_pipelines: amongOrNull(["enabled", "disabled"]),
  autoclose_referenced_issues: truth,
  pages_https_only: truth,
  printing_merge_request_link_enabled: truth,
  resolve_outdated_diff_discussions: truth,
  service_desk_enabled: truth,
  allow_merge_on_skipped_pipeline: truth,
  squash_option: amongOrNull(["never", "always", "default_on", "default_off"]),
  merge_commit_template: text,
  squash_commit_template: text
})
export type Self = typeof Self.Type
