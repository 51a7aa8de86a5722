import { Schema } from "effect"
import { versionPattern } from "../../changelog/version.ts"
import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { area } from "../contractParts.ts"
import { ChangelogShape } from "../shapes.ts"

const path = "/projects/:id/repository/changelog"

const range = {
  version: {
    kind: "string",
    required: true,
    pattern: versionPattern,
    description: "Semantic version, with or without a leading `v`.",
    example: "1.1.0"
  },
  from: {
    kind: "string",
    description: "Commit after which the range begins; default: the tag of the stable version before `version`."
  }
} as const

const content = {
  date: { kind: "moment", description: "When it is released; default: now." },
  trailer: { kind: "string", default: "Changelog", description: "Git trailer that chooses commits; case counts." },
  config_file: {
    kind: "string",
    default: ".gitlab/changelog_config.yml",
    description: "Configuration, in the default branch."
  }
} as const

const refusals = {
  403: "The caller may not read the code.",
  422: "The changelog cannot be made: the answer says why.",
  429: "Changelogs were asked for too often."
}

export const readChangelog = endpoint({
  name: "repositories.readChangelog",
  area,
  method: "GET",
  path,
  summary: "Make the section of a changelog for a version",
  access: "user",
  parameters: {
    id: projectId,
    ...range,
    to: { kind: "string", description: "Commit with which the range ends; default: the default branch." },
    ...content
  },
  success: { status: 200, body: ChangelogShape },
  refusals
})

export const commitChangelog = endpoint({
  name: "repositories.commitChangelog",
  area,
  method: "POST",
  path,
  summary: "Commit the section of a changelog for a version",
  description: "Nothing is committed when the file has a section for the version.",
  access: "user",
  takesContent: true,
  parameters: {
    id: projectId,
    ...range,
    to: { kind: "string", description: "Commit with which the range ends; default: that of `branch`." },
    branch: { kind: "string", description: "Where to commit; default: the default branch." },
    ...content,
    file: { kind: "string", default: "CHANGELOG.md", description: "Path of the changelog in the repository." },
    message: { kind: "string", description: "Message of the commit; default: `Add changelog for version <version>`." }
  },
  success: { status: 200, body: Schema.Literal(200), description: "The number 200." },
  refusals: { ...refusals, 403: "The caller may not read the code, or not push to the branch." }
})
