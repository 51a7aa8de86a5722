import { Effect } from "effect"
import { type AnnotatedTag, readTag } from "../../git/objects/annotatedTag.ts"
import { type Commit, readCommit } from "../../git/objects/commit.ts"
import { Objects } from "../../git/objects/Objects.ts"
import { isoTime } from "../../git/objects/signature.ts"
import type { Tag } from "../../git/refs/refs.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { protecting } from "../../projects/ProjectProtections.ts"
import { hasFeature, Projects } from "../../projects/Projects.ts"
import { projectUrl } from "../access.ts"
import { presentCommit } from "../commits/present.ts"
import type { OpenRepository } from "../openRepository.ts"
import type { TagShape } from "../refs/shapes.ts"
import { TagReleases } from "../TagReleases.ts"

/** A tag where it is. */
export type TagAt = Pick<Tag, "name" | "target">

interface Read extends TagAt {
  readonly annotated: AnnotatedTag | undefined
  readonly commit: Commit | undefined
}

const read = Effect.fnUntraced(function* ({ repository }: OpenRepository, { name, target }: TagAt) {
  const objects = yield* Objects
  const leads = yield* objects.info(repository, `${target}^{commit}`)
  const found: Read = {
    name,
    target,
    annotated: leads?.id === target ? undefined : yield* readTag(repository, target),
    commit: leads === undefined ? undefined : yield* readCommit(repository, leads.id)
  }
  return found
}, Effect.orDie)

interface TagView {
  readonly url: string
  readonly isProtected: boolean
  /** What releases say, by tag; undefined for who may not see them. */
  readonly releases: ReadonlyMap<string, string | null> | undefined
}

const releaseOf = (name: string, releases: ReadonlyMap<string, string | null>) => {
  const description = releases.get(name)
  return description === undefined ? null : { tag_name: name, description }
}

const present = ({ annotated, commit, name, target }: Read, { isProtected, releases, url }: TagView): typeof TagShape.Type => ({
  name,
  message: annotated?.message ?? "",
  target,
  commit: commit === undefined ? null : presentCommit(commit, url, []),
  ...(releases && { release: releaseOf(name, releases) }),
  protected: isProtected,
  created_at: annotated?.tagger === undefined ? null : isoTime(annotated.tagger)
})

/** Presents tags that were read as the project protects them now. */
const presenter = Effect.fnUntraced(function* (
  { principal, project }: OpenRepository,
  tags: ReadonlyArray<TagAt>,
  request: RequestInfo
) {
  const url = projectUrl(project, request)
  const names = tags.map(({ name }) => name)
  const releases = hasFeature("releases", principal, project)
    ? yield* TagReleases.use(({ descriptions }) => descriptions(project.id, names))
    : undefined
  const protections = yield* Projects.use((projects) => projects.protectedRefs(project.id, "tag"))
  return (tag: Read) => present(tag, { url, releases, isProtected: protecting(protections, tag.name).length > 0 })
})

export const presentTags = Effect.fnUntraced(function* (open: OpenRepository, tags: ReadonlyArray<TagAt>, request: RequestInfo) {
  const presented = yield* presenter(open, tags, request)
  const found: ReadonlyArray<Read> = yield* Effect.forEach(tags, (tag) => read(open, tag), { concurrency: 20 })
  return found.map(presented)
})

export const presentTag = Effect.fnUntraced(function* (open: OpenRepository, tag: TagAt, request: RequestInfo) {
  const presented = yield* presenter(open, [tag], request)
  return presented(yield* read(open, tag))
})

/** The author's time of the commit that a tag leads to, in milliseconds since 1970; 0 where it leads to none. */
export const authoredAt = Effect.fnUntraced(function* (open: OpenRepository, tag: TagAt) {
  return ((yield* read(open, tag)).commit?.author.seconds ?? 0) * 1000
})
