import { DeployKeyEvent } from "./events.ts"
import type { DeployKey, Link, State } from "./state.ts"

const present = (deployKey: DeployKey): State => ({ _tag: "Present", deployKey })

const withLink = (deployKey: DeployKey, projectId: number, link: Link): State =>
  present({ ...deployKey, links: new Map([...deployKey.links, [projectId, link]]) })

const withoutLink = (deployKey: DeployKey, projectId: number): State =>
  present({ ...deployKey, links: new Map([...deployKey.links].filter(([id]) => id !== projectId)) })

/** Events of a key that is not present change nothing, and a removed one stays removed. */
export const evolve = (state: State, event: DeployKeyEvent): State => {
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
