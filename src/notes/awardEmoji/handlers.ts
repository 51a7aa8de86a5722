import { Effect } from "effect"
import { awardEndpoints, type Found, giveAward, listAwards, readAward, revokeAward } from "../../awardEmoji/AwardEmoji.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { route } from "../../http/Endpoint.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { area, type Kind, namedIn, noteId } from "../contract.ts"
import { mayWrite, type NoteableKind } from "../noteable.ts"
import { openPlace, requireNote } from "../place.ts"

/** The endpoints of what notes of a kind of things are awarded. */
export const noteAwardEndpoints = ({ name, path, samples, thing }: Kind) =>
  awardEndpoints({
    area,
    thing: `note about a ${thing}`,
    prefix: `${name}Notes`,
    sampleId: samples.award,
    path: `${path}/notes/:note_id`,
    parameters: { ...namedIn({ thing }), note_id: noteId(samples.note) }
  })

interface OfNote {
  readonly caller: Caller | undefined
  readonly parameters: {
    readonly id: string | null
    readonly noteable_id: number | null
    readonly note_id: number | null
  }
  readonly request: RequestInfo
}

/** Whoever may write notes may award those of people. */
const awarded = Effect.fnUntraced(function* <R>(input: OfNote, kind: Pick<NoteableKind<R>, "find">) {
  const place = yield* openPlace(input, kind)
  const { id, is_system } = yield* requireNote(place, input.parameters.note_id)
  const found: Found = { awardable: { type: "Note", id }, mayAward: !is_system && mayWrite(place) }
  return found
})

/** The routes of what notes of a kind of things are awarded. */
export const noteAwardRoutesOf = <R>(endpoints: ReturnType<typeof noteAwardEndpoints>, kind: NoteableKind<R>) => [
  route(
    endpoints.list,
    Effect.fnUntraced(function* (input) {
      return yield* listAwards(yield* awarded(input, kind), input.parameters, input.request)
    })
  ),
  route(
    endpoints.read,
    Effect.fnUntraced(function* (input) {
      return yield* readAward(yield* awarded(input, kind), input.parameters.award_id, input.request)
    })
  ),
  route(
    endpoints.award,
    Effect.fnUntraced(function* (input) {
      return yield* giveAward(yield* awarded(input, kind), { ...input, name: input.parameters.name })
    })
  ),
  route(
    endpoints.takeBack,
    Effect.fnUntraced(function* (input) {
      return yield* revokeAward(yield* awarded(input, kind), { ...input, id: input.parameters.award_id })
    })
  )
]
