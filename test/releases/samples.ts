import type { Command, NewRelease, State } from "#src/releases/aggregate.ts"
import type { Link } from "#src/releases/events.ts"

export const link: Link = { id: 1, name: "Tool", url: "https://example.com/tool", path: "/bin/tool", type: "package" }
export const otherLink: Link = { id: 2, name: "Guide", url: "ftp://example.com/guide", path: null, type: "other" }

export const newRelease: NewRelease = {
  id: 7,
  name: "First",
  description: "Words",
  releasedAt: null,
  milestoneIds: [3, 4],
  sha: "a".repeat(40),
  links: [link]
}

const { sha, ...present } = newRelease
export const presentState: NonNullable<State> = { ...present, hasEvidence: false }

export const createOf = (more: Partial<NewRelease> = {}): Command => ({
  _tag: "Create",
  by: 5,
  release: { ...newRelease, ...more }
})
