import { Schema } from "effect"
import { Accepted } from "../http/answer/accepted.ts"
import { flag, integer, nullableText, text, time } from "../http/answer/fields.ts"
import { projectId } from "../http/answer/references.ts"
import { endpoint } from "../http/Endpoint.ts"
import { relations } from "./relations.ts"

const area = "relationsExport"
const exports = "/projects/:id/export_relations" as const

const status = Schema.Literals([0, 1, -1]).annotate({ description: "0 is under way, 1 is there, -1 has failed." })
const error = nullableText("Why it failed.")

const Batch = Schema.Struct({
  status,
  batch_number: integer("Number of the batch, from 1."),
  objects_count: integer("How many records it has."),
  error,
  updated_at: time("When its status changed last.")
}).annotate({ identifier: "RelationExportBatch" })

const RelationExport = Schema.Struct({
  relation: text("Name of the relation, such as `labels`."),
  status,
  error,
  updated_at: time("When its status changed last."),
  batched: flag("Whether it comes in batches."),
  batches_count: integer("How many batches it has, once that is known; 0 for a relation in one piece."),
  batches: Schema.optionalKey(Schema.Array(Batch)).annotateKey({ description: "Its batches; of a relation in batches alone." })
}).annotate({ identifier: "RelationExport" })

const portable = relations.map(({ name }) => name)

const forbidden = { 403: "The caller is no Maintainer." }
const batched = { kind: "boolean", description: "Whether collections come in batches of 1,000 records." } as const
const relationName = { kind: "string", description: "Name of a relation, such as `labels`." } as const

export const exportRelations = endpoint({
  name: "exports.request",
  area,
  method: "POST",
  path: exports,
  summary: "Export the relations of a project",
  description:
    "In the background, all as they stand at one moment. It takes the place of the export before, unless that is not in batches, has not failed and was finished less than three minutes ago. Maintainers may.",
  access: "anyone",
  parameters: { id: projectId, batched },
  success: { status: 202, body: Accepted },
  refusals: forbidden
})

export const readExports = endpoint({
  name: "exports.list",
  area,
  method: "GET",
  path: `${exports}/status`,
  summary: "Read how far the export of a project has come",
  description: "Maintainers may, whoever asked for it.",
  access: "anyone",
  parameters: { id: projectId, relation: { ...relationName, description: "Only this relation." } },
  success: { status: 200, body: Schema.Array(RelationExport) },
  refusals: { ...forbidden, 404: "The relation is not exported." }
})

export const downloadExport = endpoint({
  name: "exports.download",
  area,
  method: "GET",
  path: `${exports}/download`,
  summary: "Download an exported relation, or a batch of it",
  description:
    "Collections are JSON, a line for each record; `self` is one JSON object; `repository` is a tar with a bundle, `uploads` one with a file `<secret>/<name>` for each upload. All are compressed with gzip.",
  access: "anyone",
  parameters: {
    id: projectId,
    relation: { ...relationName, required: true, oneOf: { values: portable, otherwise: "is not portable" }, example: "labels" },
    batched: { ...batched, description: "Whether a batch is asked for." },
    batch_number: { kind: "integer", description: "Number of the batch, from 1." }
  },
  groups: [{ rule: "allOrNoneOf", names: ["batched", "batch_number"] }],
  success: { status: 200, raw: ["application/octet-stream"] },
  refusals: {
    ...forbidden,
    400: "The export is in batches where none was asked for, or is not where one was.",
    404: "There is no such export, or its file is not there yet."
  }
})
