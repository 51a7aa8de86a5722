import { Schema } from "effect"
import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { area, linkParameters, mayNot, one, tagName } from "../contract.ts"
import { LinkShape } from "../shapes.ts"

const links = `${one}/assets/links` as const
const link = `${links}/:link_id` as const
const ofRelease = { id: projectId, tag_name: tagName }
const ofLink = { ...ofRelease, link_id: { kind: "integer", required: true, description: "ID of the link.", example: 1 } } as const
const refusals = { ...mayNot, 400: "A name, an address or a path is wrong, or another link of the release has it." }
const mayNotRead = { 403: "The caller may not see releases." }

const name = { kind: "string", description: "What it is called.", example: "notes" } as const
const url = { kind: "string", description: "Where it is.", example: "https://example.com/notes" } as const

export const listLinks = endpoint({
  name: "releases.listLinks",
  area,
  method: "GET",
  path: links,
  summary: "List the links of a release",
  description: "The newest first.",
  access: "anyone",
  parameters: ofRelease,
  paginated: true,
  success: { status: 200, body: Schema.Array(LinkShape) },
  refusals: mayNotRead
})

export const readLink = endpoint({
  name: "releases.readLink",
  area,
  method: "GET",
  path: link,
  summary: "Read a link of a release",
  access: "anyone",
  parameters: ofLink,
  success: { status: 200, body: LinkShape },
  refusals: mayNotRead
})

export const addLink = endpoint({
  name: "releases.addLink",
  area,
  method: "POST",
  path: links,
  summary: "Add a link to a release",
  access: "anyone",
  parameters: { ...ofRelease, name: { ...name, required: true }, url: { ...url, required: true }, ...linkParameters },
  success: { status: 201, body: LinkShape },
  refusals
})

export const changeLink = endpoint({
  name: "releases.changeLink",
  area,
  method: "PUT",
  path: link,
  summary: "Change a link of a release",
  description: "A type that is not given is `other`.",
  access: "anyone",
  parameters: {
    ...ofLink,
    name: { ...name, example: "manual" },
    url: { ...url, example: "https://example.com/manual" },
    ...linkParameters
  },
  groups: [{ rule: "atLeastOneOf", names: ["name", "url"] }],
  success: { status: 200, body: LinkShape },
  refusals
})

export const removeLink = endpoint({
  name: "releases.removeLink",
  area,
  method: "DELETE",
  path: link,
  summary: "Remove a link of a release",
  description: "Answers what was removed.",
  access: "anyone",
  parameters: ofLink,
  success: { status: 200, body: LinkShape },
  refusals: mayNot
})
