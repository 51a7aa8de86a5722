import { endpoint } from "../../http/Endpoint.ts"
import { TimeStats } from "../../issuables/timeStats.ts"
import { area, mergeRequest, missing, named } from "../contract.ts"

const duration = {
  kind: "string",
  required: true,
  description: "Time in words, such as `1h 30m`; a day has eight hours, a week five days, a month four weeks.",
  example: "3h 30m"
} as const
const refusals = { ...missing, 403: "The caller may not do this." }
const unreadable = { ...refusals, 400: "The time cannot be read." }

export const readTimeStats = endpoint({
  name: "mergeRequests.timeStats",
  area,
  method: "GET",
  path: `${mergeRequest}/time_stats`,
  summary: "Read the time of a merge request",
  access: "anyone",
  parameters: named,
  success: { status: 200, body: TimeStats },
  refusals: missing
})

export const estimateTime = endpoint({
  name: "mergeRequests.estimateTime",
  area,
  method: "POST",
  path: `${mergeRequest}/time_estimate`,
  summary: "Estimate the time of a merge request",
  access: "user",
  parameters: { ...named, duration },
  success: { status: 200, body: TimeStats },
  refusals: unreadable
})

export const resetTimeEstimate = endpoint({
  name: "mergeRequests.resetTimeEstimate",
  area,
  method: "POST",
  path: `${mergeRequest}/reset_time_estimate`,
  summary: "Take the estimate of a merge request back",
  access: "user",
  parameters: named,
  success: { status: 200, body: TimeStats },
  refusals
})

export const addSpentTime = endpoint({
  name: "mergeRequests.addSpentTime",
  area,
  method: "POST",
  path: `${mergeRequest}/add_spent_time`,
  summary: "Add to the time that was spent on a merge request",
  description: "Time with a `-` in front is taken back.",
  access: "user",
  parameters: { ...named, duration, summary: { kind: "string", description: "What the time was spent on." } },
  success: { status: 201, body: TimeStats },
  refusals: unreadable
})

export const resetSpentTime = endpoint({
  name: "mergeRequests.resetSpentTime",
  area,
  method: "POST",
  path: `${mergeRequest}/reset_spent_time`,
  summary: "Take the time back that was spent on a merge request",
  access: "user",
  parameters: named,
  success: { status: 200, body: TimeStats },
  refusals
})
