import { Effect } from "effect"
import { memberRoutes } from "../members/handlers.ts"
import { projectLevels } from "../members/levels.ts"
import type { MemberSource } from "../members/MemberSource.ts"
import { alreadyHandled, handle } from "../platform/Commands.ts"
import type { EventStore } from "../platform/eventStore/EventStore.ts"
import { Users } from "../users/Users.ts"
import { type Asker, can, role } from "./abilities.ts"
import { projectAggregate } from "./handle.ts"
import type { ProjectRow, Projects } from "./Projects.ts"
import { ProjectReadModel } from "./ReadModel.ts"
import { projectNotFound, requireProject } from "./requireProject.ts"

/** Maintainers manage members up to their own level. */
const managesUpTo = (who: Asker, project: ProjectRow): number => {
  if (who.isAdministrator) return Number.POSITIVE_INFINITY
  return can("manage_members", who, project) ? Math.min(who.role, role.owner) : 0
}

const source: MemberSource<Projects | ProjectReadModel | Users | EventStore> = {
  area: "projects",
  levels: projectLevels,
  open: (asked) =>
    Effect.map(requireProject(asked, "read_members"), ({ project, who }) => ({
      id: project.id,
      managesUpTo: managesUpTo(who, project)
    })),
  questions: ProjectReadModel.use(({ members }) => Effect.succeed(members)),
  findUser: (idOrUsername) => Users.use((users) => users.findByIdOrUsername(idOrUsername)),
  send: (id, command) =>
    Effect.catchTag(
      handle(projectAggregate, id, command),
      ["ProjectMissing", "ProjectExists", "ProjectInvalid", "ProtectionExists", "ProtectionMissing", "ProtectionInvalid"],
      (refusal) => (refusal._tag === "ProjectMissing" ? Effect.fail(projectNotFound) : Effect.die(refusal))
    ),
  alreadySent: (id) => alreadyHandled(projectAggregate, id),
  removeBelow: () => Effect.succeed(0)
}

export const projectMemberRoutes = memberRoutes(source)
