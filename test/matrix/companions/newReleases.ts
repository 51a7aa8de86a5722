import { Effect } from "effect"
import { handle } from "#src/platform/Commands.ts"
import { nextId } from "#src/platform/Ids.ts"
import { releaseAggregate } from "#src/releases/aggregate.ts"
import { type Asker, askers, slugOf } from "../askers.ts"

const newLink = (tag: string) =>
  Effect.map(nextId("release_link"), (id) => ({
    id,
    name: `link ${id}`,
    url: `https://example.com/${tag}/${id}`,
    path: `/files/${id}`,
    type: "other" as const
  }))

const newRelease = Effect.fnUntraced(function* (projectId: number, tag: string, sha: string, links: number) {
  const made = yield* Effect.all(Array.from({ length: links }, () => newLink(tag)))
  const attributes = { name: null, description: null, releasedAt: null, milestoneIds: [] }
  const release = { id: yield* nextId("release"), sha, links: made, ...attributes }
  yield* handle(releaseAggregate, { projectId, tag }, { _tag: "Create", by: 1, release })
  return release
})

/** A release that stays, with a link that stays and one for each caller to take away; and one for each caller to delete. */
export const newReleases = Effect.fnUntraced(function* (projectId: number, sha: string) {
  const tag = "v1.0.0"
  const { id, links } = yield* newRelease(projectId, tag, sha, askers.length + 1)
  const evidence = { id, position: 1, summary: "{}", sha256: "0" }
  const { position } = yield* handle(releaseAggregate, { projectId, tag }, { _tag: "CollectEvidence", ...evidence })
  for (const asker of askers) yield* newRelease(projectId, `doomed-${slugOf(asker)}`, sha, 0)
  const [kept, ...doomed] = links.map((link) => link.id)
  return {
    evidence: position,
    link: kept ?? 0,
    doomedLinks: new Map<Asker, number>(askers.map((asker, index) => [asker, doomed[index] ?? 0]))
  }
}, Effect.orDie)
