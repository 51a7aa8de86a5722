import { Schema } from "effect"
import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"

export const readLanguages = endpoint({
  name: "projects.languages",
  area: "projects",
  method: "GET",
  path: "/projects/:id/languages",
  summary: "Read in which languages a project is written",
  description:
    "Percent of the bytes on the default branch, the most first. Copies of others' code, documentation, data and prose do not count.",
  access: "anyone",
  parameters: { id: projectId },
  success: { status: 200, body: Schema.Record(Schema.String, Schema.Finite) },
  refusals: { 403: "No right to read the code.", 404: "No such project." }
})
