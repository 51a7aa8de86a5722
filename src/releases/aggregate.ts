import { Data, Equal, Result } from "effect"
import type { Aggregate } from "../platform/Aggregate.ts"
import { type Link, ReleaseEvent, releaseCodec } from "./events.ts"
import { linkFaults, type ReleaseFault, releaseFaults } from "./faults.ts"
import { type ReleaseKey, releaseStream } from "./ids.ts"

/** What people set in a release. */
export interface Attributes {
  readonly name: string | null
  readonly description: string | null
  readonly releasedAt: number | null
  readonly milestoneIds: ReadonlyArray<number>
}

interface Present extends Attributes {
  readonly id: number
  readonly links: ReadonlyArray<Link>
  readonly hasEvidence: boolean
}

/** The release of a tag; undefined where there is none, or none any more. */
export type State = Present | undefined

export interface NewRelease extends Attributes {
  readonly id: number
  readonly sha: string | null
  readonly links: ReadonlyArray<Link>
}

/** Some attributes with their new values. */
export type Changes = Partial<Attributes & { readonly releasedAt: number }>

export type Command =
  | { readonly _tag: "Create"; readonly by: number; readonly release: NewRelease }
  | { readonly _tag: "Change"; readonly by: number; readonly changes: Changes }
  | { readonly _tag: "Delete"; readonly by: number }
  | { readonly _tag: "AddLink"; readonly by: number; readonly link: Link }
  | { readonly _tag: "ChangeLink"; readonly by: number; readonly id: number; readonly changes: Partial<Omit<Link, "id">> }
  | { readonly _tag: "RemoveLink"; readonly by: number; readonly id: number }
  /** For the release with this id, and no later one of the tag. */
  | {
      readonly _tag: "CollectEvidence"
      readonly id: number
      readonly position: number
      readonly summary: string
      readonly sha256: string
    }

export class ReleaseExists extends Data.TaggedError("ReleaseExists") {}
export class ReleaseMissing extends Data.TaggedError("ReleaseMissing") {}
export class ReleaseInvalid extends Data.TaggedError("ReleaseInvalid")<{ readonly faults: ReadonlyArray<ReleaseFault> }> {}
export class LinkMissing extends Data.TaggedError("LinkMissing") {}
/** What is wrong with a link, in sentences. */
export class LinkInvalid extends Data.TaggedError("LinkInvalid")<{ readonly sentences: ReadonlyArray<string> }> {}
/** A release has as many links as it may have, or as long ones. */
export class TooManyLinks extends Data.TaggedError("TooManyLinks") {
  override get message() {
    return `A release has at most ${maxLinks} links, of ${maxLinksLength.toLocaleString("en")} characters together`
  }
}

export type Refusal = ReleaseExists | ReleaseMissing | ReleaseInvalid | LinkMissing | LinkInvalid | TooManyLinks

/** So many links a release has, and so many characters they have together: each is shown with it. */
export const [maxLinks, maxLinksLength] = [1_000, 128 * 1024]

export const areTooMany = (links: ReadonlyArray<Link>): boolean =>
  links.length > maxLinks ||
  links.reduce((sum, { name, path, url }) => sum + name.length + url.length + (path?.length ?? 0), 0) > maxLinksLength

type Decision = Result.Result<ReadonlyArray<ReleaseEvent>, Refusal>

const { cases } = ReleaseEvent
const one = (event: ReleaseEvent): Decision => Result.succeed([event])
const nothing: Decision = Result.succeed([])

const create = ({ by, release }: Extract<Command, { readonly _tag: "Create" }>, state: State): Decision => {
  if (state !== undefined) return Result.fail(new ReleaseExists())
  const faults = releaseFaults(release)
  if (faults.length > 0) return Result.fail(new ReleaseInvalid({ faults }))
  const { links } = release
  if (areTooMany(links)) return Result.fail(new TooManyLinks())
  const sentences = [...new Set(links.flatMap((link) => linkFaults(link, links)))]
  return sentences.length > 0 ? Result.fail(new LinkInvalid({ sentences })) : one(cases.ReleaseCreated.make({ by, ...release }))
}

/** The changes that differ from what is there. */
const differing = (changes: Changes, state: Present): Changes =>
  Object.fromEntries(Object.entries(changes).filter(([name, value]) => !Equal.equals(value, state[name as keyof Attributes])))

const change = (by: number, changes: Changes, state: Present): Decision => {
  const faults = releaseFaults(changes)
  if (faults.length > 0) return Result.fail(new ReleaseInvalid({ faults }))
  const changed = differing(changes, state)
  return Object.keys(changed).length === 0 ? nothing : one(cases.ReleaseChanged.make({ by, ...changed }))
}

const put = (link: Link, state: Present, event: ReleaseEvent): Decision => {
  const links = [...state.links.filter(({ id }) => id !== link.id), link]
  if (areTooMany(links)) return Result.fail(new TooManyLinks())
  const sentences = linkFaults(link, links)
  return sentences.length > 0 ? Result.fail(new LinkInvalid({ sentences })) : one(event)
}

const addLink = (by: number, link: Link, state: Present): Decision => {
  if (state.links.some(({ id }) => id === link.id)) return nothing
  return put(link, state, cases.ReleaseLinkAdded.make({ by, link }))
}

const changeLink = ({ by, changes, id }: Extract<Command, { readonly _tag: "ChangeLink" }>, state: Present): Decision => {
  const before = state.links.find((link) => link.id === id)
  if (before === undefined) return Result.fail(new LinkMissing())
  const link = { ...before, ...changes }
  return Equal.equals(link, before) ? nothing : put(link, state, cases.ReleaseLinkChanged.make({ by, link }))
}

const removeLink = (by: number, id: number, state: Present): Decision =>
  state.links.some((link) => link.id === id) ? one(cases.ReleaseLinkRemoved.make({ by, id })) : Result.fail(new LinkMissing())

const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Create") return create(command, state)
  if (state === undefined) return Result.fail(new ReleaseMissing())
  switch (command._tag) {
    case "Change":
      return change(command.by, command.changes, state)
    case "Delete":
      return one(cases.ReleaseDeleted.make({ by: command.by }))
    case "AddLink":
      return addLink(command.by, command.link, state)
    case "ChangeLink":
      return changeLink(command, state)
    case "RemoveLink":
      return removeLink(command.by, command.id, state)
    case "CollectEvidence": {
      const { _tag, id, ...evidence } = command
      if (id !== state.id) return Result.fail(new ReleaseMissing())
      return state.hasEvidence ? nothing : one(cases.EvidenceCollected.make(evidence))
    }
  }
}

const evolve = (state: State, event: ReleaseEvent): State => {
  if (event._tag === "ReleaseCreated") {
    const { _tag, by, sha, ...created } = event
    return { ...created, hasEvidence: false }
  }
  if (state === undefined) return undefined
  return ReleaseEvent.match(event, {
    ReleaseCreated: () => state,
    ReleaseChanged: ({ _tag, by, ...changes }) => ({ ...state, ...changes }),
    ReleaseDeleted: () => undefined,
    ReleaseLinkAdded: ({ link }) => ({ ...state, links: [...state.links, link] }),
    ReleaseLinkChanged: ({ link }) => ({ ...state, links: state.links.map((each) => (each.id === link.id ? link : each)) }),
    ReleaseLinkRemoved: ({ id }) => ({ ...state, links: state.links.filter((each) => each.id !== id) }),
    EvidenceCollected: () => ({ ...state, hasEvidence: true })
  })
}

/** The releases of a tag, one at a time. */
export const releaseAggregate: Aggregate<ReleaseKey, Command, State, ReleaseEvent, Refusal> = {
  initial: undefined,
  decide,
  evolve,
  codec: releaseCodec,
  stream: releaseStream
}
