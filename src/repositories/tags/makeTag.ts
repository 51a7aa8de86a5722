import { Effect } from "effect"
import { tagRef } from "../../git/refs/refNames.ts"
import { writeTag } from "../../git/write/writeCommit.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { badRequest, type WireError } from "../../http/answer/errors.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { matchesPattern } from "../../kernel/wildcards.ts"
import { type PushPolicy, policyOf } from "../../pushes/Pushes.ts"
import { identityOf, signed } from "../commits/identity.ts"
import type { OpenRepository } from "../openRepository.ts"
import { isNewName, moveRef } from "../refs/moveRef.ts"
import { tagTarget } from "../refs/requireRef.ts"
import { commitOf } from "../revision.ts"

const badName = badRequest("Tag name invalid")
const taken = (name: string) => badRequest(`Tag ${name} already exists`)

/** Fails with 400 for what no new tag may be called. */
export const requireTagName = (name: string): Effect.Effect<void, WireError> =>
  isNewName(name) ? Effect.void : Effect.fail(badName)

/** The protections that a tag of this name has. */
export const rulesOf = ({ tags }: PushPolicy, name: string) => tags.filter(({ pattern }) => matchesPattern(pattern, name))

/** Tells of names of tags whether protections let the caller create them. */
export const mayCreateTags = Effect.fnUntraced(function* (open: Pick<OpenRepository, "principal" | "project">) {
  const policy: PushPolicy = yield* policyOf(open, open.principal)
  return (name: string): boolean => {
    const rules = rulesOf(policy, name)
    return rules.length === 0 || rules.some(({ mayCreate }) => mayCreate)
  }
})

/** The target of a new tag. */
const creatable = Effect.fnUntraced(function* ({ project, repository }: OpenRepository, name: string, ref: string | null) {
  if ((yield* tagTarget(repository, name)) !== undefined) return yield* taken(name)
  if (ref === null || ref === "") return yield* badRequest("Target is empty")
  return (yield* commitOf(project, ref)) ?? (yield* badRequest(`Target ${ref} is invalid`))
})

export interface NewTag {
  readonly caller: Caller
  readonly open: OpenRepository
  readonly name: string
  /** What is tagged. */
  readonly ref: string | null
  /** Of an annotated tag. */
  readonly message: string | null | undefined
  readonly request: RequestInfo
  /** What is answered where a protection does not let the caller. */
  readonly mayNotCreate: WireError
}

/** Makes a tag, an annotated one where there is a message, and answers what it names. `time`: of the tag, in seconds since 1970. */
export const makeTag = Effect.fnUntraced(function* (
  { caller, mayNotCreate, message, name, open, ref, request }: NewTag,
  time: Effect.Effect<number>
) {
  const { project, repository } = open
  const commit = yield* creatable(open, name, ref)
  if (!(yield* mayCreateTags(open))(name)) return yield* mayNotCreate
  const text = message?.trim() ?? ""
  const tagger = signed(identityOf(caller, request), yield* time)
  const target = text === "" ? commit : yield* writeTag(repository, { name, target: commit, tagger, message: text })
  yield* moveRef(project.id, { name: tagRef(name), from: null, to: target }, () => taken(name))
  return target
})
