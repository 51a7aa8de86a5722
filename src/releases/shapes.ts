import { Schema } from "effect"
import { flag, integer, nullableText, text, time, url } from "../http/answer/fields.ts"
import { UserReference } from "../http/answer/shapes.ts"
import { AnyMilestone } from "../milestones/Milestones.ts"
import { CommitShape } from "../repositories/Code.ts"
import { LinkType } from "./events.ts"

/** A link as it is shown. */
export const LinkShape = Schema.Struct({
  id: integer("ID of the link."),
  name: text("What it is called."),
  url: url("Where the asset is."),
  direct_asset_url: url("An address of the asset that stays: below that of the release where it has a path, else the same."),
  link_type: LinkType.annotate({ description: "What the asset is." })
}).annotate({ identifier: "ReleaseLink" })

const stats = Schema.Struct({
  total: integer("How many issues it has."),
  closed: integer("How many of them are closed.")
})

/** A milestone, with how many issues it has. */
const MilestoneShape = Schema.Union(
  AnyMilestone.members.map((member) =>
    Schema.Struct({ ...member.fields, issue_stats: stats.annotate({ description: "Its issues." }) })
  )
)

const Evidence = Schema.Struct({
  sha: text("SHA-256 of the record."),
  filepath: url("The record."),
  collected_at: time("When it was made.")
}).annotate({ identifier: "ReleaseEvidence" })

const Source = Schema.Struct({
  format: Schema.Literals(["zip", "tar.gz", "tar.bz2", "tar"]).annotate({ description: "Format of the archive." }),
  url: url("The archive.")
}).annotate({ identifier: "ReleaseSource" })

const first = {
  name: text("What it is called; its tag where nobody has said."),
  tag_name: text("Its tag."),
  description: nullableText("What it says, in Markdown."),
  created_at: time("When it was created."),
  released_at: time("When it was, or is to be, released."),
  upcoming_release: flag("Whether that is still to come.")
}

/** A release in short. */
export const ShortRelease = Schema.Struct(first).annotate({ identifier: "ShortRelease" })

const listUrl = url("A list of issues or merge requests of its milestones.")

/** A release. What follows from the code is there for those who may read it. */
export const Release = Schema.Struct({
  ...first,
  description_html: Schema.optionalKey(text("What it says, as HTML.")),
  author: Schema.optionalKey(UserReference).annotateKey({ description: "Who created it; absent when that user is deleted." }),
  commit: Schema.optionalKey(Schema.NullOr(CommitShape)).annotateKey({
    description: "The commit of its tag, when it was created."
  }),
  milestones: Schema.optionalKey(Schema.Array(MilestoneShape)).annotateKey({ description: "Its milestones, if it has any." }),
  commit_path: Schema.optionalKey(text("Path of the page of the commit.")),
  tag_path: Schema.optionalKey(text("Path of the page of the tag.")),
  assets: Schema.Struct({
    count: integer("How many assets it has."),
    sources: Schema.optionalKey(Schema.Array(Source)).annotateKey({ description: "Archives of its code." }),
    links: Schema.Array(LinkShape).annotate({ description: "What lies elsewhere, the newest first." })
  }).annotate({ description: "What belongs to it." }),
  evidences: Schema.optionalKey(Schema.Array(Evidence)).annotateKey({ description: "Records of what it contained." }),
  _links: Schema.Struct({
    closed_issues_url: listUrl,
    closed_merge_requests_url: listUrl,
    edit_url: Schema.optionalKey(url("Where it is changed, by those who may.")),
    merged_merge_requests_url: listUrl,
    opened_issues_url: listUrl,
    opened_merge_requests_url: listUrl,
    self: url("Its page.")
  }).annotate({ description: "Pages about it." })
}).annotate({ identifier: "Release" })
