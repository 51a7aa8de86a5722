import { groupId, projectId } from "../http/answer/references.ts"
import type { Success } from "../http/answer/success.ts"
import type { Area } from "../http/areas.ts"
import { endpoint } from "../http/Endpoint.ts"
import { milestoneOfGroup, milestoneOfProject } from "./contract.ts"

interface Listed<S extends Success> {
  readonly area: Area
  /** The last segment of the paths, such as `merge_requests`. */
  readonly segment: string
  readonly success: S
}

/** The lists of what a milestone has of one kind. */
export const milestoneLists = <const S extends Success>({ area, segment, success }: Listed<S>) => {
  const what = segment.replaceAll("_", " ")
  const common = {
    area,
    method: "GET",
    access: "anyone",
    description: "Those that the caller may see, the newest first.",
    paginated: true,
    success,
    refusals: { 403: "Milestones are not shown to the caller.", 404: "No such milestone." }
  } as const
  return {
    ofProject: endpoint({
      ...common,
      name: `${area}.listOfProjectMilestone`,
      path: `/projects/:id/milestones/:milestone_id/${segment}`,
      summary: `List ${what} of a milestone of a project`,
      parameters: { id: projectId, milestone_id: milestoneOfProject }
    }),
    ofGroup: endpoint({
      ...common,
      name: `${area}.listOfGroupMilestone`,
      path: `/groups/:id/milestones/:milestone_id/${segment}`,
      summary: `List ${what} of a milestone of a group`,
      parameters: { id: groupId, milestone_id: milestoneOfGroup }
    })
  }
}

/** The order of these lists. */
export const newestFirst = { by: "created_at", descending: true } as const
