import { endpoint } from "../../http/Endpoint.ts"
import { area, hidden, named, schedule } from "../contract.ts"
import { ScheduleVariable } from "../shapes.ts"

const variables = `${schedule}/variables` as const
const variable = `${variables}/:key` as const
const key = { kind: "string", required: true, description: "Name of the variable.", example: "DEPLOY_TO" } as const
const value = { kind: "string", required: true, description: "Value of the variable.", example: "staging" } as const
const variableType = {
  kind: "string",
  values: ["env_var", "file"],
  description: "Whether jobs get the value itself, or the path of a file with it."
} as const

const missing = { ...hidden, 404: "No such schedule or variable." }

export const readVariable = endpoint({
  name: "pipelineSchedules.readVariable",
  area,
  method: "GET",
  path: variable,
  summary: "Read a variable of a pipeline schedule",
  description: "An addition of this service. For Maintainers and the owner of the schedule.",
  access: "user",
  parameters: { ...named, key },
  success: { status: 200, body: ScheduleVariable },
  refusals: missing
})

export const addVariable = endpoint({
  name: "pipelineSchedules.addVariable",
  area,
  method: "POST",
  path: variables,
  summary: "Add a variable to a pipeline schedule",
  description: "Its pipelines have it.",
  access: "user",
  parameters: {
    ...named,
    key: { ...key, description: "Name of the variable: up to 255 letters, digits and `_`." },
    value,
    variable_type: { ...variableType, default: "env_var" }
  },
  success: { status: 201, body: ScheduleVariable },
  refusals: { ...hidden, 400: "The name is no name, or is taken." }
})

export const changeVariable = endpoint({
  name: "pipelineSchedules.changeVariable",
  area,
  method: "PUT",
  path: variable,
  summary: "Change a variable of a pipeline schedule",
  access: "user",
  parameters: { ...named, key, value: { ...value, example: "production" }, variable_type: variableType },
  success: { status: 200, body: ScheduleVariable },
  refusals: missing
})

export const removeVariable = endpoint({
  name: "pipelineSchedules.removeVariable",
  area,
  method: "DELETE",
  path: variable,
  summary: "Remove a variable from a pipeline schedule",
  description: "Answers with what it was.",
  access: "user",
  parameters: { ...named, key },
  success: { status: 202, body: ScheduleVariable },
  refusals: missing
})
