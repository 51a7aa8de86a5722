import { Schema } from "effect"
import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { PipelineDetail, PipelineVariableShape } from "../shapes.ts"

const area = "pipelines"

export const createPipeline = endpoint({
  name: "pipelines.create",
  area,
  method: "POST",
  path: "/projects/:id/pipeline",
  summary: "Make a pipeline",
  description:
    "Its jobs are those of the configuration in the last commit of the branch or tag. Of a wrong configuration it has none, has failed, and tells in `yaml_errors` what is wrong.",
  access: "user",
  parameters: {
    id: projectId,
    ref: { kind: "string", required: true, allowBlank: false, description: "Branch or tag.", example: "main" },
    variables: {
      kind: "hashList",
      description: "Variables of the pipeline.",
      fields: {
        key: { kind: "string", required: true, description: "Name of the variable.", example: "DEPLOY_TO" },
        value: { kind: "string", required: true, description: "Value of the variable.", example: "staging" },
        variable_type: {
          kind: "string",
          values: ["env_var", "file"],
          default: "env_var",
          description: "Whether jobs get the value itself, or the path of a file with it."
        }
      }
    }
  },
  success: { status: 201, body: PipelineDetail },
  refusals: {
    400: "No such branch or tag, no configuration, or one with no job here; or the caller may not make it.",
    403: "The caller may not do this."
  }
})

export const listPipelineVariables = endpoint({
  name: "pipelines.variables",
  area,
  method: "GET",
  path: "/projects/:id/pipelines/:pipeline_id/variables",
  summary: "List the variables of a pipeline",
  description: "For Maintainers, and the Developer who made it; of those that a schedule gave it, only its owner.",
  access: "anyone",
  parameters: {
    id: projectId,
    pipeline_id: { kind: "integer", required: true, description: "ID of the pipeline.", example: 1 }
  },
  success: { status: 200, body: Schema.Array(PipelineVariableShape) },
  refusals: { 403: "The caller may not do this.", 404: "No such pipeline." }
})
