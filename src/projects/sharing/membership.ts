import { Effect } from "effect"
import { accessLevel } from "../../members/levels.ts"
import type { MemberCommand } from "../../members/rules.ts"
import { handle } from "../../platform/Commands.ts"
import { can, type Principal } from "../abilities.ts"
import { projectAggregate } from "../aggregate.ts"
import { type ProjectRow, projectNotFound } from "../Projects.ts"

/** The highest level that somebody may give members of a project, and take away: Maintainers manage up to their own. */
export const managesUpTo = (principal: Principal, project: ProjectRow): number => {
  if (principal.isAdministrator) return Number.POSITIVE_INFINITY
  return can("manage_members", principal, project) ? Math.min(principal.role, accessLevel.owner) : 0
}

/** Sends a command about the members of a project, or about the groups with which it is shared. */
export const sendToMembers = (id: number, command: MemberCommand) =>
  Effect.catchTag(
    handle(projectAggregate, id, command),
    [
      "ProjectMissing",
      "ProjectExists",
      "ProjectInNamespace",
      "ProjectMoved",
      "ProjectInvalid",
      "ProtectionExists",
      "ProtectionMissing",
      "ProtectionInvalid"
    ],
    (refusal) => (refusal._tag === "ProjectMissing" ? Effect.fail(projectNotFound) : Effect.die(refusal))
  )
