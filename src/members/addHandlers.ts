import { Effect } from "effect"
import { forbidden, thingNotFound } from "../http/answer/errors.ts"
import { ok } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { route } from "../http/Endpoint.ts"
import type { MemberEndpoints } from "./contract.ts"
import type { MemberSource } from "./MemberSource.ts"
import { presented } from "./readHandlers.ts"
import { reasonOf, refusalOf } from "./refusals.ts"
import { requireValid, today } from "./validity.ts"

const userNotFound = thingNotFound("User")

interface Addition {
  readonly id: number
  readonly actingLevel: number
  readonly addedBy: number
  readonly accessLevel: number | null
  readonly expiresAt: string | null
}

const requireUser = Effect.fnUntraced(function* <R>(source: MemberSource<R>, name: string) {
  return (yield* source.findUser(name)) ?? (yield* userNotFound)
})

const addOne = Effect.fnUntraced(function* <R>(source: MemberSource<R>, userId: number, addition: Addition) {
  const { id, ...membership } = addition
  const accessLevel = yield* requireValid(source, { id, userId, ...membership })
  const command = { _tag: "AddMember", userId, today: yield* today, ...membership, accessLevel } as const
  return yield* source.send(id, command).pipe(Effect.mapError(refusalOf(source.area)))
})

const maxUsers = 100

/** Adds the users who can be added; the answer tells the reason for the others. Nobody is added when there are too many. */
const addMany = Effect.fnUntraced(function* <R>(source: MemberSource<R>, names: ReadonlyArray<string>, addition: Addition) {
  const wanted = new Set(names)
  // Gap: not shown; the reference's limit and text.
  if (wanted.size > maxUsers) {
    return ok({ status: "error", message: `Too many users specified (limit is ${maxUsers})` })
  }
  const failed = new Map<string, string>()
  const added: Array<Effect.Success<ReturnType<typeof addOne<R>>>> = []
  for (const name of wanted) {
    const done = yield* Effect.result(Effect.flatMap(requireUser(source, name), ({ id }) => addOne(source, id, addition)))
    if (done._tag === "Success") added.push(done.success)
    else failed.set((yield* source.findUser(name))?.username ?? name, reasonOf(done.failure))
  }
  const last = added.at(-1)
  if (last !== undefined) yield* awaitReadModels(last)
  if (failed.size === 0) return ok({ status: "success" })
  return ok({ status: "error", message: Object.fromEntries(failed) })
})

export const addRoute = <R>(source: MemberSource<R>, { add }: MemberEndpoints) =>
  route(
    add,
    Effect.fnUntraced(function* (input) {
      const { parameters, caller, request } = input
      const { id, managesUpTo } = yield* source.open(input)
      if (managesUpTo === 0) return yield* forbidden
      const addition: Addition = {
        id,
        actingLevel: managesUpTo,
        addedBy: caller.user.id,
        accessLevel: parameters.access_level,
        expiresAt: parameters.expires_at ?? null
      }
      const names = (parameters.user_id ?? parameters.username ?? "").split(",").map((name) => name.trim())
      if (names.length > 1) return yield* addMany(source, names, addition)
      const { id: userId } = yield* requireUser(source, names[0] ?? "")
      yield* awaitReadModels(yield* source.changes(id, addOne(source, userId, addition)))
      return ok(yield* presented(source, { id }, { userId, externalUrl: request.externalUrl }))
    })
  )
