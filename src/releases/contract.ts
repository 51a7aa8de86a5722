import { Schema } from "effect"
import { groupId, projectId } from "../http/answer/references.ts"
import { JsonObject } from "../http/answer/success.ts"
import { endpoint } from "../http/Endpoint.ts"
import { LinkType } from "./events.ts"
import { Release, ShortRelease } from "./shapes.ts"

export const area = "releases"
export const releases = "/projects/:id/releases" as const
export const one = `${releases}/:tag_name` as const

export const tagName = { kind: "string", required: true, description: "Tag of the release.", example: "v1.0.0" } as const
export const mayNotRead = { 403: "The caller may not see releases, or not the code." }
export const mayNot = { 403: "The caller is no Developer, the tag is protected from them, or the project is archived." }

const html = { kind: "boolean", default: false, description: "Whether the description is shown as HTML, too." } as const
const sort = { kind: "string", values: ["asc", "desc"], default: "desc", description: "Direction of the order." } as const

export const listReleases = endpoint({
  name: "releases.list",
  area,
  method: "GET",
  path: releases,
  summary: "List the releases of a project",
  access: "anyone",
  parameters: {
    id: projectId,
    order_by: {
      kind: "string",
      values: ["released_at", "created_at"],
      default: "released_at",
      description: "What the list is ordered by."
    },
    sort,
    include_html_description: html,
    updated_before: { kind: "dateTime", description: "Only those that were changed by then." },
    updated_after: { kind: "dateTime", description: "Only those that were changed since." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(Release), mayStream: true },
  refusals: { 403: "The caller may not see releases." }
})

export const listGroupReleases = endpoint({
  name: "releases.listOfGroup",
  area,
  method: "GET",
  path: "/groups/:id/releases",
  summary: "List the releases of the projects of a group",
  description: "Of projects directly in it.",
  access: "anyone",
  parameters: {
    id: groupId,
    sort,
    simple: { kind: "boolean", default: false, description: "Whether they are shown in short." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(Schema.Union([Release, ShortRelease])), mayStream: true }
})

export const readRelease = endpoint({
  name: "releases.read",
  area,
  method: "GET",
  path: one,
  keepsFormat: true,
  summary: "Read the release of a tag",
  access: "anyone",
  parameters: { id: projectId, tag_name: tagName, include_html_description: html },
  success: { status: 200, body: Release },
  refusals: mayNotRead
})

const elsewhere = { status: 302, raw: ["text/plain"] } as const

export const latestRelease = endpoint({
  name: "releases.latest",
  area,
  method: "GET",
  path: `${releases}/permalink/latest`,
  summary: "Find the latest release",
  description: "The one that was released last, or is to be. Other parameters of the query are passed on.",
  access: "anyone",
  parameters: { id: projectId },
  success: elsewhere,
  refusals: mayNotRead
})

const suffix = {
  kind: "string",
  required: true,
  description: "What follows in the address of the release.",
  example: "assets/links"
} as const

export const belowLatestRelease = endpoint({
  name: "releases.belowLatest",
  area,
  method: "GET",
  path: `${releases}/permalink/latest/:suffix_path`,
  rest: "suffix_path",
  keepsFormat: true,
  summary: "Find something below the latest release",
  access: "anyone",
  parameters: { id: projectId, suffix_path: suffix },
  success: elsewhere,
  refusals: mayNotRead
})

export const downloadAsset = endpoint({
  name: "releases.download",
  area,
  method: "GET",
  path: `${one}/downloads/:direct_asset_path`,
  rest: "direct_asset_path",
  keepsFormat: true,
  summary: "Find an asset by the path of its link",
  access: "anyone",
  parameters: {
    id: projectId,
    tag_name: tagName,
    direct_asset_path: { kind: "string", required: true, description: "Path of the link.", example: "bin/tool" }
  },
  success: elsewhere,
  refusals: mayNotRead
})

export const readEvidence = endpoint({
  name: "releases.readEvidence",
  area,
  method: "GET",
  path: `${one}/evidences/:evidence_id`,
  summary: "Read what a release contained",
  description: "As it was recorded when the release was made.",
  access: "anyone",
  parameters: {
    id: projectId,
    tag_name: tagName,
    evidence_id: { kind: "integer", required: true, description: "ID of the record.", example: 1 }
  },
  success: { status: 200, body: JsonObject, mayStream: true },
  refusals: mayNotRead
})

const milestones = {
  milestones: { kind: "stringList", description: "Titles of its milestones, of the project or of groups above it." },
  milestone_ids: { kind: "integerList", description: "The same by ID." }
} as const
const either = {
  rule: "mutuallyExclusive",
  names: ["milestones", "milestone_ids"],
  otherwise: "Cannot specify milestones and milestone_ids at the same time"
} as const

const attributes = {
  name: { kind: "string", description: "What it is called. Default: its tag." },
  description: { kind: "string", description: "What it says, in Markdown." },
  released_at: { kind: "dateTime", description: "When it was, or is to be, released; without a zone in UTC. Default: now." }
} as const

export const linkParameters = {
  direct_asset_path: { kind: "string", description: "Path below the release under which the asset can be had, too." },
  filepath: { kind: "string", deprecated: true, description: "The same under an older name." },
  link_type: { kind: "string", values: LinkType.literals, default: "other", description: "What the asset is." }
} as const

export const createRelease = endpoint({
  name: "releases.create",
  area,
  method: "POST",
  path: releases,
  takesContent: true,
  summary: "Create a release",
  description: "On a tag that is there, or on one that is made for it.",
  access: "anyone",
  parameters: {
    id: projectId,
    tag_name: tagName,
    ...attributes,
    ref: { kind: "string", description: "Branch, tag or commit that is tagged, where there is no such tag yet." },
    tag_message: { kind: "string", description: "Message of the tag that is made. Default: it has none." },
    ...milestones,
    assets: {
      kind: "hash",
      description: "What belongs to it.",
      fields: {
        links: {
          kind: "hashList",
          description: "What lies elsewhere.",
          fields: {
            name: { kind: "string", required: true, missingIsEmpty: false, description: "What it is called.", example: "tool" },
            url: {
              kind: "string",
              required: true,
              missingIsEmpty: false,
              description: "Where it is.",
              example: "https://example.com/tool"
            },
            ...linkParameters,
            direct_asset_path: { ...linkParameters.direct_asset_path, example: "/bin/tool" }
          }
        }
      }
    }
  },
  groups: [either],
  success: { status: 201, body: Release },
  refusals: {
    ...mayNot,
    400: "A milestone is not found, the tag cannot be made, or an attribute is wrong.",
    409: "The tag has a release.",
    422: "There is no such tag, and no ref to make it of."
  }
})

export const changeRelease = endpoint({
  name: "releases.change",
  area,
  method: "PUT",
  path: one,
  keepsFormat: true,
  takesContent: true,
  summary: "Change a release",
  access: "anyone",
  parameters: {
    id: projectId,
    tag_name: tagName,
    ...attributes,
    name: { ...attributes.name, example: "The first" },
    ...milestones
  },
  groups: [either],
  success: { status: 200, body: Release },
  refusals: { ...mayNot, 400: "Nothing is to be changed, a milestone is not found, or an attribute is wrong." }
})

export const deleteRelease = endpoint({
  name: "releases.delete",
  area,
  method: "DELETE",
  path: one,
  keepsFormat: true,
  summary: "Delete a release",
  description: "The tag stays. Answers what was deleted.",
  access: "anyone",
  parameters: { id: projectId, tag_name: tagName },
  success: { status: 200, body: Release },
  refusals: mayNot
})
