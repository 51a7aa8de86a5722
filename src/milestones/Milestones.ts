// What other areas may use of milestones.
export { milestoneLists, newestFirst } from "./lists.ts"
export { presentMilestone } from "./present.ts"
export { MilestoneQueries, type MilestoneRow } from "./Queries.ts"
export { requireReadable } from "./requireMilestone.ts"
export { AnyMilestone } from "./shapes.ts"
