import { Effect } from "effect"
import { memberRoutes } from "../../members/handlers.ts"
import { projectLevels } from "../../members/levels.ts"
import type { MemberSource } from "../../members/MemberSource.ts"
import type { EventStore } from "../../platform/eventStore/EventStore.ts"
import { changes } from "../../platform/repeats.ts"
import { Users } from "../../users/Users.ts"
import { projectAggregate } from "../aggregate.ts"
import { type Projects, requireProject } from "../Projects.ts"
import { ProjectQueries } from "../Queries.ts"
import { projectShareRoutes } from "./handlers.ts"
import { managesUpTo, sendToMembers } from "./membership.ts"

const source: MemberSource<Projects | ProjectQueries | Users | EventStore> = {
  area: "projects",
  levels: projectLevels,
  open: (input) =>
    Effect.map(requireProject(input, "read_members"), ({ project, principal }) => ({
      id: project.id,
      mayReadMembers: true,
      managesUpTo: managesUpTo(principal, project)
    })),
  questions: ProjectQueries.use(({ members }) => Effect.succeed(members)),
  findUser: (idOrUsername) => Users.use((users) => users.findByIdOrUsername(idOrUsername)),
  send: sendToMembers,
  changes: (id, make) => changes(projectAggregate, id, make),
  removeBelow: () => Effect.succeed(0)
}

export const projectMemberRoutes = [...memberRoutes(source), ...projectShareRoutes]
