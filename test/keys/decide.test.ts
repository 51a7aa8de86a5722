import { describe, expect, it } from "vitest"
import {
  type Command as DeployCommand,
  type DeployKey,
  type Refusal as DeployRefusal,
  type State as DeployState,
  deployKeyAggregate
} from "#src/keys/deployKey/aggregate.ts"
import { DeployKeyEvent } from "#src/keys/deployKey/events.ts"
import { type Command, type Refusal, type State, userKeyAggregate } from "#src/keys/userKey/aggregate.ts"
import { UserKeyEvent } from "#src/keys/userKey/events.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"
import { deployKey, deployKeyCreated, keyAdded, userKey } from "./samples.ts"

describe("keys of users: every command in every state", () => {
  type Expected = ReadonlyArray<UserKeyEvent> | Refusal["_tag"]
  const states: { readonly [Tag in State["_tag"]]: State } = {
    Absent: { _tag: "Absent" },
    Present: { _tag: "Present", userId: 7, fingerprintSha256: userKey.fingerprintSha256 },
    Removed: { _tag: "Removed" }
  }
  const commands: { readonly [Tag in Command["_tag"]]: Command } = {
    Add: { _tag: "Add", key: userKey },
    Remove: { _tag: "Remove" }
  }
  const table: Record<State["_tag"], Record<Command["_tag"], Expected>> = {
    Absent: { Add: [keyAdded], Remove: "KeyMissing" },
    Present: { Add: "KeyExists", Remove: [UserKeyEvent.cases.SshKeyRemoved.make({})] },
    Removed: { Add: "KeyExists", Remove: "KeyMissing" }
  }
  itDecides(outcomeOf(userKeyAggregate), { commands, states, table })
})

type Expected = ReadonlyArray<DeployKeyEvent> | DeployRefusal["_tag"]

const { cases } = DeployKeyEvent
const projectId = 3
const linked: DeployKey = {
  title: "ci",
  fingerprintSha256: deployKey.fingerprintSha256,
  public: true,
  links: new Map([[projectId, { linkId: 11, canPush: false }]])
}
const present = (changed: Partial<DeployKey> = {}): DeployState => ({ _tag: "Present", deployKey: { ...linked, ...changed } })
const outcome = outcomeOf(deployKeyAggregate)

describe("deploy keys: every command in every state", () => {
  const states: { readonly [Tag in DeployState["_tag"]]: DeployState } = {
    Absent: { _tag: "Absent" },
    Present: present(),
    Removed: { _tag: "Removed" }
  }
  const commands: { readonly [Tag in DeployCommand["_tag"]]: DeployCommand } = {
    Create: { _tag: "Create", key: deployKey },
    Retitle: { _tag: "Retitle", title: "deploy" },
    Enable: { _tag: "Enable", projectId: 4, linkId: 12, canPush: true },
    ChangePushRight: { _tag: "ChangePushRight", projectId, canPush: true },
    Disable: { _tag: "Disable", projectId },
    Remove: { _tag: "Remove" }
  }
  const gone: Record<DeployCommand["_tag"], Expected> = {
    Create: "DeployKeyExists",
    Retitle: "DeployKeyMissing",
    Enable: "DeployKeyMissing",
    ChangePushRight: "DeployKeyMissing",
    Disable: "DeployKeyMissing",
    Remove: "DeployKeyMissing"
  }
  const table: Record<DeployState["_tag"], Record<DeployCommand["_tag"], Expected>> = {
    Absent: { ...gone, Create: [deployKeyCreated] },
    Present: {
      Create: "DeployKeyExists",
      Retitle: [cases.DeployKeyRetitled.make({ title: "deploy" })],
      Enable: [cases.DeployKeyEnabled.make({ projectId: 4, linkId: 12, canPush: true })],
      ChangePushRight: [cases.DeployKeyPushRightChanged.make({ projectId, linkId: 11, canPush: true })],
      Disable: [cases.DeployKeyDisabled.make({ projectId, linkId: 11 })],
      Remove: [cases.DeployKeyRemoved.make({})]
    },
    Removed: gone
  }

  itDecides(outcome, { commands, states, table })

  it("what is so already adds nothing", () => {
    expect(outcome({ _tag: "Retitle", title: "ci" }, present())).toEqual([])
    expect(outcome({ _tag: "Enable", projectId, linkId: 12, canPush: true }, present())).toEqual([])
    expect(outcome({ _tag: "ChangePushRight", projectId, canPush: false }, present())).toEqual([])
  })

  it("projects that do not use the key have nothing to change or disable", () => {
    expect(outcome({ _tag: "ChangePushRight", projectId: 9, canPush: true }, present())).toBe("NotEnabled")
    expect(outcome({ _tag: "Disable", projectId: 9 }, present())).toBe("NotEnabled")
  })

  it("a private key goes with its last project, and not before", () => {
    const disabled = cases.DeployKeyDisabled.make({ projectId, linkId: 11 })
    const links = new Map([...linked.links, [4, { linkId: 12, canPush: true }] as const])
    expect(outcome(commands.Disable, present({ public: false }))).toEqual([disabled, cases.DeployKeyRemoved.make({})])
    expect(outcome(commands.Disable, present({ public: false, links }))).toEqual([disabled])
  })
})
