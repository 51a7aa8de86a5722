import { Effect } from "effect"
import { requireUnmodified } from "../http/answer/conditional.ts"
import { forbidden, notFound } from "../http/answer/errors.ts"
import { noContent, ok } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { route } from "../http/Endpoint.ts"
import { withOwnerLock } from "../http/withOwnerLock.ts"
import { defined } from "../kernel/defined.ts"
import type { MemberEndpoints } from "./contract.ts"
import { accessLevel } from "./levels.ts"
import type { MemberSource } from "./MemberSource.ts"
import { presented } from "./readHandlers.ts"
import { refusalOf } from "./refusals.ts"
import type { ChangeMember, RemoveMember } from "./rules.ts"
import { requireValid, today } from "./validity.ts"

type Change = Pick<ChangeMember, "actingLevel" | "expiresAt" | "userId"> & { readonly accessLevel: number | null }

type Without<T> = T extends T ? Omit<T, "hasInheritedOwner" | "hasOtherOwner"> : never

const nobodyElse = { hasOtherOwner: false, hasInheritedOwner: false }

/**
 * Sends a command after which a user may be owner no more, with who else is one. Only where the user is owner does it take the lock that
 * all owners share; who becomes owner at this very moment is taken for the last one.
 */
const sendAsOwned = Effect.fnUntraced(function* <R>(
  source: MemberSource<R>,
  id: number,
  command: Without<ChangeMember | RemoveMember>
) {
  const questions = yield* source.questions
  const member = yield* questions.find({ id }, command.userId)
  const send = (owners: typeof nobodyElse) => Effect.mapError(source.send(id, { ...command, ...owners }), refusalOf(source.area))
  if (member?.access_level !== accessLevel.owner) return yield* send(nobodyElse)
  return yield* withOwnerLock(Effect.flatMap(questions.otherOwners(id, command.userId), send))
})

const changeMember = Effect.fnUntraced(function* <R>(source: MemberSource<R>, id: number, change: Change) {
  const { expiresAt = null, userId } = change
  const questions = yield* source.questions
  if ((yield* questions.find({ id }, userId)) === undefined) return yield* notFound
  const level = yield* requireValid(source, { id, ...change, expiresAt })
  const command = { _tag: "ChangeMember", today: yield* today, ...change, accessLevel: level } as const
  return yield* sendAsOwned(source, id, command)
})

export const changeRoute = <R>(source: MemberSource<R>, { change }: MemberEndpoints) =>
  route(
    change,
    Effect.fnUntraced(function* (input) {
      const { parameters, request } = input
      const { id, managesUpTo } = yield* source.open(input)
      if (managesUpTo === 0) return yield* forbidden
      const userId = parameters.user_id ?? (yield* notFound)
      const memberChange: Change = defined({
        userId,
        accessLevel: parameters.access_level,
        actingLevel: managesUpTo,
        expiresAt: parameters.expires_at
      })
      yield* awaitReadModels(yield* source.changes(id, changeMember(source, id, memberChange)))
      return ok(yield* presented(source, { id }, { userId, externalUrl: request.externalUrl }))
    })
  )

/** Members may remove themselves, whatever their level. */
export const removeRoute = <R>(source: MemberSource<R>, { remove }: MemberEndpoints) =>
  route(
    remove,
    Effect.fnUntraced(function* (input) {
      const { parameters, caller, request } = input
      const { id, managesUpTo } = yield* source.open(input)
      const userId = parameters.user_id ?? (yield* notFound)
      const actingLevel = caller.user.id === userId ? Number.POSITIVE_INFINITY : managesUpTo
      if (actingLevel === 0) return yield* forbidden
      const questions = yield* source.questions
      const unmodified = Effect.gen(function* () {
        const { updated_at } = (yield* questions.find({ id }, userId)) ?? (yield* notFound)
        yield* requireUnmodified(updated_at, request)
      })
      yield* source.changes(id, unmodified)
      const written = yield* sendAsOwned(source, id, { _tag: "RemoveMember", userId, actingLevel, today: yield* today })
      const below = parameters.skip_subresources ? 0 : yield* source.removeBelow(id, userId)
      yield* awaitReadModels({ ...written, position: Math.max(written.position, below) })
      return noContent
    })
  )
