import { Effect } from "effect"
import { defined } from "../../kernel/defined.ts"
import { accessLevel } from "../../members/levels.ts"
import { handle, load } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { projectAggregate } from "../aggregate.ts"
import type { Protection } from "../events.ts"
import { presentIn } from "../state.ts"
import { newGrants } from "./newGrants.ts"

/** Whether Developers may push, and merge; Maintainers alone if not. What is absent stays as it is. */
export interface DeveloperAccess {
  readonly push?: boolean
  readonly merge?: boolean
}

type Grants = Protection["push"]

/** The single level that the older endpoints know. */
const levelFor = (isAllowed: boolean) => (isAllowed ? accessLevel.developer : accessLevel.maintainer)

const granted = Effect.fnUntraced(function* (present: Grants, isAllowed: boolean) {
  const accessLevel = levelFor(isAllowed)
  const unchanged = present.filter((grant) => grant.accessLevel === accessLevel)
  return unchanged.length > 0 ? unchanged : yield* newGrants([accessLevel])
})

const protectionOf = Effect.fnUntraced(function* (projectId: number, branch: string) {
  const { state } = yield* load(projectAggregate, projectId)
  return presentIn(state)?.protections.find(({ kind, name }) => kind === "branch" && name === branch)
})

const once = Effect.fnUntraced(function* (projectId: number, branch: string, may: DeveloperAccess) {
  const present = yield* protectionOf(projectId, branch)
  if (present === undefined) {
    const id = yield* nextId("protected_ref")
    const push = yield* newGrants([levelFor(may.push ?? false)])
    const merge = yield* newGrants([levelFor(may.merge ?? false)])
    const protection: Protection = { id, kind: "branch", name: branch, allowForcePush: false, push, merge }
    return yield* handle(projectAggregate, projectId, { _tag: "Protect", protection })
  }
  const grants = defined({
    push: may.push === undefined ? undefined : yield* granted(present.push, may.push),
    merge: may.merge === undefined ? undefined : yield* granted(present.merge, may.merge)
  })
  return yield* handle(projectAggregate, projectId, { _tag: "ChangeProtection", kind: "branch", name: branch, ...grants })
})

/** Protects a branch by its name, or changes who may push and merge where it is protected. */
export const protectBranch = Effect.fn("projects.protectBranch")(
  once,
  // Somebody else protected or unprotected it meanwhile.
  Effect.retry({ while: ({ _tag }) => _tag === "ProtectionExists" || _tag === "ProtectionMissing", times: 3 })
)

/** Ends the protection of a branch by its name; undefined when there is none. */
export const unprotectBranch = Effect.fnUntraced(function* (projectId: number, branch: string) {
  const command = { _tag: "Unprotect", kind: "branch", name: branch } as const
  return yield* Effect.catchTag(handle(projectAggregate, projectId, command), "ProtectionMissing", () => Effect.undefined)
}, spanned("projects.unprotectBranch"))
