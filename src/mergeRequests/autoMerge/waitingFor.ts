import { Result } from "effect"
import { type GroupEvent, groupCodec } from "../../groups/events.ts"
import { groupIdOf } from "../../groups/ids.ts"
import { type PipelineEvent, pipelineCodec } from "../../pipelines/events.ts"
import { pipelineIdOf } from "../../pipelines/ids.ts"
import type { EventCodec } from "../../platform/eventStore/codec.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { type ProjectEvent, projectCodec } from "../../projects/events.ts"
import { projectIdOf } from "../../projects/ids.ts"
import { type UserEvent, userCodec } from "../../users/events.ts"
import { userIdOf } from "../../users/ids.ts"
import { blockCodec } from "../blocks/events.ts"
import { blockedKeyOf } from "../blocks/ids.ts"
import { mergeRequestCodec } from "../events.ts"
import { mergeRequestKeyOf } from "../ids.ts"
import type { AutoMergesOf } from "../Queries.ts"

/** Events after which something may be merged of itself that could not be before. */
interface Rule {
  readonly types: ReadonlyArray<string>
  /** Which may have waited for it; undefined for none, and for events of other streams. */
  readonly which: (event: RecordedEvent) => AutoMergesOf | undefined
}

interface Rules<Event extends { readonly _tag: string }, Id> {
  readonly codec: EventCodec<Event>
  readonly idOf: (stream: string) => Id | undefined
  readonly types: ReadonlyArray<Event["_tag"]>
  readonly which: (event: Event, id: Id) => AutoMergesOf | undefined
}

const rule = <Event extends { readonly _tag: string }, Id>({ codec, idOf, types, which }: Rules<Event, Id>): Rule => ({
  types,
  which: (event) => {
    const id = idOf(event.stream)
    const decoded = id === undefined ? undefined : codec.decode(event)
    return id === undefined || decoded === undefined || Result.isFailure(decoded) ? undefined : which(decoded.success, id)
  }
})

/** A pipeline succeeded, or was skipped, which some projects take for the same. */
const ofPipeline = (event: PipelineEvent, pipelineId: number): AutoMergesOf | undefined => {
  if (event._tag === "PipelineCreated") return event.isSkipped === true ? { pipelineId } : undefined
  const isOver = event._tag === "PipelineMoved" && (event.status === "success" || event.status === "skipped")
  return isOver ? { pipelineId } : undefined
}

/** The settings by which a project lets a merge wait, or refuses it. */
const asking = [
  "onlyAllowMergeIfPipelineSucceeds",
  "allowMergeOnSkippedPipeline",
  "onlyAllowMergeIfAllDiscussionsAreResolved",
  "squashOption",
  "mergeMethod"
] as const
/** Those by which it says who may merge. */
const entitling = ["visibility", "repositoryAccessLevel", "mergeRequestsAccessLevel"] as const

/** The project asks for something else, lets others merge, or is gone, and with it what others waited for. */
const ofProject = (event: ProjectEvent, projectId: number): AutoMergesOf | undefined => {
  const ofRights = { projectId, mayLackRights: true } as const
  switch (event._tag) {
    case "ProjectDeleted":
      return { behind: { projectId } }
    case "ProjectSettingsChanged":
      if (asking.some((name) => name in event.changes)) return { projectId }
      return entitling.some((name) => name in event.changes) ? ofRights : undefined
    case "MemberAdded":
    case "MemberChanged":
      return { ...ofRights, setBy: event.userId }
    case "RefProtected":
    case "RefProtectionChanged":
      return event.protection.kind === "branch" ? ofRights : undefined
    case "RefUnprotected":
      return event.kind === "branch" ? ofRights : undefined
    case "SharedWithGroup":
    case "ProjectTransferred":
    case "ProjectUnarchived":
      return ofRights
    default:
      return undefined
  }
}

/** A group's members may work in what it is invited to, too, so whoever joins it may merge there. */
const ofGroup = (event: GroupEvent, groupId: number): AutoMergesOf | undefined => {
  switch (event._tag) {
    case "MemberAdded":
    case "MemberChanged":
      return { setBy: event.userId, mayLackRights: true }
    case "SharedWithGroup":
    case "GroupTransferred":
      return { groupId, mayLackRights: true }
    default:
      return undefined
  }
}

const userTypes = ["UserUnblocked", "UserUnbanned", "UserActivated", "AdministratorGranted"] as const satisfies ReadonlyArray<
  UserEvent["_tag"]
>

const rules: ReadonlyArray<Rule> = [
  rule({ codec: pipelineCodec, idOf: pipelineIdOf, types: ["PipelineCreated", "PipelineMoved"], which: ofPipeline }),
  rule({
    codec: mergeRequestCodec,
    idOf: mergeRequestKeyOf,
    // What had to be merged first was, or is gone.
    types: ["MergeRequestMerged", "MergeRequestDeleted"],
    which: (_, behind) => ({ behind })
  }),
  rule({
    codec: blockCodec,
    idOf: blockedKeyOf,
    // It does not have to wait for another one any more.
    types: ["MergeRequestUnblocked"],
    which: (_, key) => key
  }),
  rule({
    codec: projectCodec,
    idOf: projectIdOf,
    types: [
      ...(["ProjectSettingsChanged", "ProjectDeleted", "ProjectTransferred", "ProjectUnarchived"] as const),
      ...(["MemberAdded", "MemberChanged", "SharedWithGroup"] as const),
      ...(["RefProtected", "RefProtectionChanged", "RefUnprotected"] as const)
    ],
    which: ofProject
  }),
  rule({
    codec: groupCodec,
    idOf: groupIdOf,
    types: ["MemberAdded", "MemberChanged", "SharedWithGroup", "GroupTransferred"],
    which: ofGroup
  }),
  rule({ codec: userCodec, idOf: userIdOf, types: userTypes, which: (_, setBy) => ({ setBy, mayLackRights: true }) })
]

/** The types of events for which something may wait. */
export const waitedFor: ReadonlyArray<string> = rules.flatMap(({ types }) => types)

/** Which of those that are to be merged of themselves may have waited for an event; undefined for none. Lost rights wake nothing: they are told when it is due. */
export const waitingFor = (event: RecordedEvent): AutoMergesOf | undefined => {
  for (const { types, which } of rules) {
    const found = types.includes(event.type) ? which(event) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
