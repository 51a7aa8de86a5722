import { Equal, HashMap, Option, Result } from "effect"
import { effectiveChanges } from "../kernel/effectiveChanges.ts"
import { lessVisible } from "../kernel/visibility.ts"
import { accessLevel } from "../members/levels.ts"
import { decideMember } from "../members/rules.ts"
import type { Aggregate } from "../platform/Aggregate.ts"
import type { Change, ChangeProtection, Command, Content, Create, Transfer } from "./commands.ts"
import {
  ProjectExists,
  ProjectInNamespace,
  ProjectInvalid,
  ProjectMissing,
  ProjectMoved,
  ProtectionExists,
  ProtectionInvalid,
  ProtectionMissing,
  type Refusal
} from "./errors.ts"
import { ProjectEvent, type Protection, projectCodec, type RefKind } from "./events.ts"
import { creationFaults, defaultBranchFaults, type ProjectFault, pathFaults, settingsFaults } from "./faults.ts"
import { projectStream } from "./ids.ts"
import { protecting, protectionFaults } from "./protectionFaults.ts"
import { evolve, initial, type Place, type Project, type ProjectStatus, placeOf, type State } from "./state.ts"

type Decision = Result.Result<ReadonlyArray<ProjectEvent>, Refusal>

const { cases } = ProjectEvent
const nothing: Decision = Result.succeed([])

const invalid = (faults: ReadonlyArray<ProjectFault>): Decision => Result.fail(new ProjectInvalid({ faults }))

/** How a repository gets its first commits, beside the protections of branches that are there. */
const filled = ({ defaultBranch, protection }: Content, present: ReadonlyArray<Protection>): ReadonlyArray<ProjectEvent> => [
  cases.RepositoryFilled.make({ defaultBranch }),
  ...(protection === null || protecting(present, defaultBranch).length > 0 ? [] : [cases.RefProtected.make({ protection })])
]

/** The owner of a personal namespace is a member of each project in it. */
const create = (command: Create): Decision => {
  const { content, creatorId, defaultBranch, forkedFrom, namespaceId, ownerId, path, settings } = command
  const faults = creationFaults(command)
  if (faults.length > 0) return invalid(faults)
  const owner = { accessLevel: accessLevel.owner, expiresAt: null, addedBy: creatorId }
  return Result.succeed([
    cases.ProjectCreated.make({ namespaceId, creatorId, path, defaultBranch, settings, forkedFrom }),
    ...(ownerId === null ? [] : [cases.MemberAdded.make({ userId: ownerId, ...owner })]),
    ...(content === null ? [] : filled(content, []))
  ])
}

/** Whether the names that were reserved are still those that the project will have. */
const isAt = (from: Place, project: Project): boolean => Equal.equals(from, placeOf(project))

const change = (command: Change, project: Project): Decision => {
  if (command.from !== undefined && !isAt(command.from, project)) return Result.fail(new ProjectMoved())
  const { ceilings, defaultBranch: branch, path = project.path } = command
  const changes = effectiveChanges(command.changes, project.settings)
  const isRenamed = path !== project.path
  const isOtherBranch = branch !== undefined && branch !== project.defaultBranch
  const faults = [
    ...settingsFaults(changes, ceilings),
    ...(isRenamed ? pathFaults(path) : []),
    ...(isOtherBranch ? defaultBranchFaults(branch) : [])
  ]
  if (faults.length > 0) return invalid(faults)
  const { namespaceId } = project
  return Result.succeed([
    ...(isRenamed ? [cases.ProjectRenamed.make({ namespaceId, from: project.path, to: path })] : []),
    ...(Object.keys(changes).length === 0 ? [] : [cases.ProjectSettingsChanged.make({ changes })]),
    ...(isOtherBranch ? [cases.DefaultBranchChanged.make({ branch })] : [])
  ])
}

/** Makes a user an owner for good. */
const owning = (userId: number, addedBy: number, { members }: Project): ReadonlyArray<ProjectEvent> => {
  const member = Option.getOrUndefined(HashMap.get(members.users, userId))
  const owner = { userId, accessLevel: accessLevel.owner, expiresAt: null }
  if (member === undefined) return [cases.MemberAdded.make({ ...owner, addedBy })]
  const isOwner = member.accessLevel === owner.accessLevel && member.expiresAt === null
  return isOwner ? [] : [cases.MemberChanged.make(owner)]
}

const limited = (maxVisibility: Transfer["maxVisibility"], { settings }: Project): ReadonlyArray<ProjectEvent> => {
  const changes = effectiveChanges({ visibility: lessVisible(settings.visibility, maxVisibility) }, settings)
  return Object.keys(changes).length === 0 ? [] : [cases.ProjectSettingsChanged.make({ changes })]
}

/** Whoever is a member stays one. */
const transfer = ({ by, from, maxVisibility, namespaceId, ownerId }: Transfer, project: Project): Decision => {
  if (namespaceId === project.namespaceId) return Result.fail(new ProjectInNamespace())
  if (!isAt(from, project)) return Result.fail(new ProjectMoved())
  return Result.succeed([
    cases.ProjectTransferred.make({ from: from.namespaceId, to: namespaceId, path: from.path }),
    ...limited(maxVisibility, project),
    ...(ownerId === null ? [] : owning(ownerId, by, project))
  ])
}

const ofKind = ({ protections }: Project, kind: RefKind): ReadonlyArray<Protection> =>
  protections.filter((protection) => protection.kind === kind)

const protect = (protection: Protection, project: Project): Decision => {
  const { kind, name } = protection
  if (ofKind(project, kind).some((one) => one.name === name)) return Result.fail(new ProtectionExists({ kind, name }))
  const texts = protectionFaults(protection)
  return texts.length > 0
    ? Result.fail(new ProtectionInvalid({ texts }))
    : Result.succeed([cases.RefProtected.make({ protection })])
}

type Grants = Protection["push"]

/** Whether two protections let the same levels do something. */
const isSame = (one: Grants, other: Grants): boolean =>
  one.length === other.length && one.every(({ accessLevel: level }, index) => level === other[index]?.accessLevel)

const changeProtection = (command: ChangeProtection, project: Project): Decision => {
  const { allowForcePush, kind, merge, name, push } = command
  const before = ofKind(project, kind).find((one) => one.name === name)
  if (before === undefined) return Result.fail(new ProtectionMissing({ name }))
  const after: Protection = {
    ...before,
    allowForcePush: allowForcePush ?? before.allowForcePush,
    push: push === undefined || isSame(push, before.push) ? before.push : push,
    merge: merge === undefined || isSame(merge, before.merge) ? before.merge : merge
  }
  const texts = protectionFaults(after)
  if (texts.length > 0) return Result.fail(new ProtectionInvalid({ texts }))
  const isChanged = after.allowForcePush !== before.allowForcePush || after.push !== before.push || after.merge !== before.merge
  return isChanged ? Result.succeed([cases.RefProtectionChanged.make({ protection: after })]) : nothing
}

const unprotect = (kind: RefKind, name: string, project: Project): Decision => {
  const found = ofKind(project, kind).find((one) => one.name === name)
  if (found === undefined) return Result.fail(new ProtectionMissing({ name }))
  return Result.succeed([cases.RefUnprotected.make({ id: found.id, kind, name })])
}

const decideExisting = (command: Exclude<Command, Create>, status: ProjectStatus, project: Project): Decision => {
  switch (command._tag) {
    case "Change":
      return change(command, project)
    case "Transfer":
      return transfer(command, project)
    case "LimitVisibility":
      return Result.succeed(limited(command.maxVisibility, project))
    case "Fill":
      return project.isEmpty ? Result.succeed(filled(command, ofKind(project, "branch"))) : nothing
    case "NoteReadme":
      return command.readme === project.readme ? nothing : Result.succeed([cases.ReadmeChanged.make({ readme: command.readme })])
    case "Protect":
      return protect(command.protection, project)
    case "ChangeProtection":
      return changeProtection(command, project)
    case "Unprotect":
      return unprotect(command.kind, command.name, project)
    case "Archive":
      return status === "Archived" ? nothing : Result.succeed([cases.ProjectArchived.make({})])
    case "Unarchive":
      return status === "Active" ? nothing : Result.succeed([cases.ProjectUnarchived.make({})])
    case "Delete":
      return Result.succeed([cases.ProjectDeleted.make({})])
    default:
      return decideMember(command, project.members)
  }
}

/** Nothing is noted of missing projects. */
const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Create") return state._tag === "Absent" ? create(command) : Result.fail(new ProjectExists())
  if (state._tag === "Absent" || state._tag === "Deleted") {
    return command._tag === "NoteReadme" ? nothing : Result.fail(new ProjectMissing())
  }
  return decideExisting(command, state._tag, state.project)
}

export const projectAggregate: Aggregate<number, Command, State, ProjectEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: projectCodec,
  stream: projectStream
}
