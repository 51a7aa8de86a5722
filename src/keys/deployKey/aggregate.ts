import { Data, Result } from "effect"
import type { Aggregate } from "../../platform/Aggregate.ts"
import { deployKeyStream } from "../ids.ts"
import { DeployKeyEvent, deployKeyCodec } from "./events.ts"

/** Use of a deploy key by a project. */
export interface Link {
  readonly linkId: number
  readonly canPush: boolean
}

export interface DeployKey {
  readonly title: string
  readonly fingerprintSha256: string
  readonly public: boolean
  /** The links by project. */
  readonly links: ReadonlyMap<number, Link>
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Present"; readonly deployKey: DeployKey }
  | { readonly _tag: "Removed" }

const initial: State = { _tag: "Absent" }

export interface Use extends Link {
  readonly projectId: number
}

/** Creates a key that `keyFaults` found nothing wrong with. */
export interface Create {
  readonly _tag: "Create"
  readonly key: Omit<Extract<DeployKeyEvent, { readonly _tag: "DeployKeyCreated" }>, "_tag">
  /** The use by the project that the key is created for. */
  readonly use?: Use
}

/** Lets a project use the key. One that uses it already keeps its link and push right. */
interface Enable extends Use {
  readonly _tag: "Enable"
}

export type Command =
  | Create
  | Enable
  | { readonly _tag: "Retitle"; readonly title: string }
  | { readonly _tag: "ChangePushRight"; readonly projectId: number; readonly canPush: boolean }
  | { readonly _tag: "Disable"; readonly projectId: number }
  | { readonly _tag: "Remove" }

/** There is a deploy key in this stream, or was one. */
export class DeployKeyExists extends Data.TaggedError("DeployKeyExists") {}

/** The deploy key was never there, or is removed. */
export class DeployKeyMissing extends Data.TaggedError("DeployKeyMissing") {}

/** The project does not use the deploy key. */
export class NotEnabled extends Data.TaggedError("NotEnabled")<{ readonly projectId: number }> {}

export type Refusal = DeployKeyExists | DeployKeyMissing | NotEnabled

type Decision = Result.Result<ReadonlyArray<DeployKeyEvent>, Refusal>

const { cases } = DeployKeyEvent
const nothing: Decision = Result.succeed([])
const notEnabled = (projectId: number): Decision => Result.fail(new NotEnabled({ projectId }))

const changePushRight = (deployKey: DeployKey, projectId: number, canPush: boolean): Decision => {
  const link = deployKey.links.get(projectId)
  if (link === undefined) return notEnabled(projectId)
  if (link.canPush === canPush) return nothing
  return Result.succeed([cases.DeployKeyPushRightChanged.make({ projectId, linkId: link.linkId, canPush })])
}

/** A key that no project uses any more goes too, unless it is public. */
const disable = (deployKey: DeployKey, projectId: number): Decision => {
  const link = deployKey.links.get(projectId)
  if (link === undefined) return notEnabled(projectId)
  const isOrphaned = deployKey.links.size === 1 && !deployKey.public
  return Result.succeed([
    cases.DeployKeyDisabled.make({ projectId, linkId: link.linkId }),
    ...(isOrphaned ? [cases.DeployKeyRemoved.make({})] : [])
  ])
}

const decidePresent = (command: Exclude<Command, { readonly _tag: "Create" }>, deployKey: DeployKey): Decision => {
  switch (command._tag) {
    case "Retitle":
      return command.title === deployKey.title
        ? nothing
        : Result.succeed([cases.DeployKeyRetitled.make({ title: command.title })])
    case "Enable": {
      const { projectId, linkId, canPush } = command
      return deployKey.links.has(projectId)
        ? nothing
        : Result.succeed([cases.DeployKeyEnabled.make({ projectId, linkId, canPush })])
    }
    case "ChangePushRight":
      return changePushRight(deployKey, command.projectId, command.canPush)
    case "Disable":
      return disable(deployKey, command.projectId)
    case "Remove":
      return Result.succeed([cases.DeployKeyRemoved.make({})])
  }
}

const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Create") {
    return state._tag === "Absent"
      ? Result.succeed([
          cases.DeployKeyCreated.make(command.key),
          ...(command.use === undefined ? [] : [cases.DeployKeyEnabled.make(command.use)])
        ])
      : Result.fail(new DeployKeyExists())
  }
  return state._tag === "Present" ? decidePresent(command, state.deployKey) : Result.fail(new DeployKeyMissing())
}

const present = (deployKey: DeployKey): State => ({ _tag: "Present", deployKey })

const withLink = (deployKey: DeployKey, projectId: number, link: Link): State =>
  present({ ...deployKey, links: new Map([...deployKey.links, [projectId, link]]) })

const withoutLink = (deployKey: DeployKey, projectId: number): State =>
  present({ ...deployKey, links: new Map([...deployKey.links].filter(([id]) => id !== projectId)) })

/** Events of a key that is not present change nothing, and a removed one stays removed. */
const evolve = (state: State, event: DeployKeyEvent): State => {
  if (state._tag === "Removed") return state
  if (event._tag === "DeployKeyCreated") {
    const { title, fingerprintSha256 } = event
    return state._tag === "Absent" ? present({ title, fingerprintSha256, public: event.public, links: new Map() }) : state
  }
  if (state._tag === "Absent") return state
  const { deployKey } = state
  return DeployKeyEvent.match(event, {
    DeployKeyCreated: () => state,
    DeployKeyRetitled: ({ title }) => present({ ...deployKey, title }),
    DeployKeyEnabled: ({ projectId, linkId, canPush }) => withLink(deployKey, projectId, { linkId, canPush }),
    DeployKeyPushRightChanged: ({ projectId, linkId, canPush }) =>
      deployKey.links.has(projectId) ? withLink(deployKey, projectId, { linkId, canPush }) : state,
    DeployKeyDisabled: ({ projectId }) => withoutLink(deployKey, projectId),
    DeployKeyRemoved: (): State => ({ _tag: "Removed" })
  })
}

export const deployKeyAggregate: Aggregate<number, Command, State, DeployKeyEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: deployKeyCodec,
  stream: deployKeyStream
}
