import { Result } from "effect"
import type { Command } from "./commands.ts"
import { DeployKeyExists, DeployKeyMissing, NotEnabled, type Refusal } from "./errors.ts"
import { DeployKeyEvent } from "./events.ts"
import type { DeployKey, State } from "./state.ts"

type Decision = Result.Result<ReadonlyArray<DeployKeyEvent>, Refusal>

const event = DeployKeyEvent.cases
const nothing: Decision = Result.succeed([])
const notEnabled = (projectId: number): Decision => Result.fail(new NotEnabled({ projectId }))

const changePushRight = (deployKey: DeployKey, projectId: number, canPush: boolean): Decision => {
  const link = deployKey.links.get(projectId)
  if (link === undefined) return notEnabled(projectId)
  if (link.canPush === canPush) return nothing
  return Result.succeed([event.DeployKeyPushRightChanged.make({ projectId, linkId: link.linkId, canPush })])
}

/** A key that no project uses any more goes too, unless it is public. */
const disable = (deployKey: DeployKey, projectId: number): Decision => {
  const link = deployKey.links.get(projectId)
  if (link === undefined) return notEnabled(projectId)
  const isOrphaned = deployKey.links.size === 1 && !deployKey.public
  return Result.succeed([
    event.DeployKeyDisabled.make({ projectId, linkId: link.linkId }),
    ...(isOrphaned ? [event.DeployKeyRemoved.make({})] : [])
  ])
}

const decidePresent = (command: Exclude<Command, { readonly _tag: "Create" }>, deployKey: DeployKey): Decision => {
  switch (command._tag) {
    case "Retitle":
      return command.title === deployKey.title
        ? nothing
        : Result.succeed([event.DeployKeyRetitled.make({ title: command.title })])
    case "Enable": {
      const { projectId, linkId, canPush } = command
      return deployKey.links.has(projectId)
        ? nothing
        : Result.succeed([event.DeployKeyEnabled.make({ projectId, linkId, canPush })])
    }
    case "ChangePushRight":
      return changePushRight(deployKey, command.projectId, command.canPush)
    case "Disable":
      return disable(deployKey, command.projectId)
    case "Remove":
      return Result.succeed([event.DeployKeyRemoved.make({})])
  }
}

export const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Create") {
    return state._tag === "Absent"
      ? Result.succeed([
          event.DeployKeyCreated.make(command.key),
          ...(command.use === undefined ? [] : [event.DeployKeyEnabled.make(command.use)])
        ])
      : Result.fail(new DeployKeyExists())
  }
  return state._tag === "Present" ? decidePresent(command, state.deployKey) : Result.fail(new DeployKeyMissing())
}
