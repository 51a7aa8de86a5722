import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { Job } from "../jobs/shapes.ts"
import { ClaimedJob, Lease } from "./shapes.ts"

const area = "pipelines"
const jobId = { kind: "integer", required: true, description: "ID of the job.", example: 1 } as const
const claim = { kind: "integer", required: true, allowBlank: false, description: "Number of the run.", example: 1 } as const
const lost = {
  403: "The caller may not do this.",
  404: "No such job.",
  409: "The run is over: the job was canceled, or went back."
}

export const claimJob = endpoint({
  name: "jobs.claim",
  area,
  method: "POST",
  path: "/projects/:id/jobs/claim",
  summary: "Take the next job that waits for an executor",
  description:
    "The oldest one whose tags the executor has. It runs from now on, and goes back unless the executor is heard of in time. This service alone has this endpoint.",
  access: "user",
  parameters: {
    id: projectId,
    executor: {
      kind: "string",
      required: true,
      allowBlank: false,
      description: "Name of the executor, of up to 255 characters.",
      example: "builder-1"
    },
    tags: { kind: "stringList", description: "What the executor offers. Jobs that ask for none of it are taken, too." }
  },
  success: { status: 201, body: ClaimedJob },
  otherSuccesses: [{ status: 204, description: "No job waits." }],
  refusals: { 400: "The name of the executor is too long.", 403: "The caller is no Maintainer." }
})

export const renewLease = endpoint({
  name: "jobs.heartbeat",
  area,
  method: "POST",
  path: "/projects/:id/jobs/:job_id/heartbeat",
  summary: "Say that a job still runs",
  description: "This service alone has this endpoint.",
  access: "user",
  parameters: { id: projectId, job_id: jobId, claim },
  success: { status: 200, body: Lease },
  refusals: lost
})

export const finishJob = endpoint({
  name: "jobs.finish",
  area,
  method: "POST",
  path: "/projects/:id/jobs/:job_id/finish",
  summary: "Tell how a job ended",
  description: "This service alone has this endpoint.",
  access: "user",
  parameters: {
    id: projectId,
    job_id: jobId,
    claim,
    status: {
      kind: "string",
      required: true,
      allowBlank: false,
      values: ["success", "failed"],
      description: "How it ended.",
      example: "success"
    },
    coverage: { kind: "float", description: "Percent of the code that tests cover." },
    exit_code: { kind: "integer", description: "Code with which it ended." },
    failure_reason: {
      kind: "string",
      values: [
        "unknown_failure",
        "script_failure",
        "api_failure",
        "stuck_or_timeout_failure",
        "runner_system_failure",
        "job_execution_timeout",
        "data_integrity_failure"
      ],
      description: "Why it failed. Default: `script_failure`."
    }
  },
  success: { status: 200, body: Job },
  refusals: lost
})
