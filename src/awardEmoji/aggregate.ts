import { Data, HashMap, Option, Result } from "effect"
import type { Aggregate } from "../platform/Aggregate.ts"
import { AwardEvent, awardCodec } from "./events.ts"
import { type Awardable, awardsStream } from "./ids.ts"

interface Given {
  readonly by: number
  readonly name: string
}

/** What something was awarded: by the ids of awards, how many each user gave of each name, and how many there are of each name and of each user. */
export interface State {
  readonly awards: HashMap.HashMap<number, Given>
  readonly given: HashMap.HashMap<string, number>
}

const initial: State = { awards: HashMap.empty(), given: HashMap.empty() }

const keysOf = ({ by, name }: Given) => ({ own: `${by} ${name}`, ofName: `name ${name}`, ofUser: `user ${by}` })

const countOf = ({ given }: State, key: string): number => Option.getOrElse(HashMap.get(given, key), () => 0)

export interface Award extends Given {
  readonly _tag: "Award"
  readonly id: number
}

export type Command = Award | { readonly _tag: "TakeBack"; readonly id: number }

/** Why an award is not given. */
export class AwardRefused extends Data.TaggedError("AwardRefused")<{
  readonly reason: "has already been taken" | "is not a valid emoji name" | "is one too many"
}> {}

/** It was taken back, or never given. */
export class AwardMissing extends Data.TaggedError("AwardMissing") {}

type Decision = Result.Result<ReadonlyArray<AwardEvent>, AwardRefused | AwardMissing>

const { cases } = AwardEvent

/** One user gives one thing no more names. */
const maxNames = 100

/** The names that emoji have by convention, such as `thumbsup`, `+1` or `man_in_tuxedo_tone3`. */
const emojiName = /^[a-z0-9_+-]{1,100}$/
export const isEmojiName = (name: string): boolean => emojiName.test(name)

const award = ({ by, id, name }: Award, state: State): Decision => {
  const { ofName, ofUser, own } = keysOf({ by, name })
  const refused = (reason: AwardRefused["reason"]): Decision => Result.fail(new AwardRefused({ reason }))
  if (!isEmojiName(name)) return refused("is not a valid emoji name")
  if (countOf(state, own) > 0) return refused("has already been taken")
  if (countOf(state, ofUser) >= maxNames) return refused("is one too many")
  return Result.succeed([cases.EmojiAwarded.make({ id, by, name, total: countOf(state, ofName) + 1 })])
}

const takeBack = (id: number, state: State): Decision => {
  const found = HashMap.get(state.awards, id)
  if (Option.isNone(found)) return Result.fail(new AwardMissing())
  const { name } = found.value
  return Result.succeed([cases.EmojiTakenBack.make({ id, name, total: countOf(state, keysOf(found.value).ofName) - 1 })])
}

const decide = (command: Command, state: State): Decision =>
  command._tag === "Award" ? award(command, state) : takeBack(command.id, state)

/** Counts an award, or one less; what nobody has any more is not counted. */
const counted = (state: State, award: Given, by: 1 | -1): State["given"] => {
  const { ofName, ofUser, own } = keysOf(award)
  return [own, ofName, ofUser].reduce((given, key) => {
    const count = countOf(state, key) + by
    return count > 0 ? HashMap.set(given, key, count) : HashMap.remove(given, key)
  }, state.given)
}

/** An award that is there already, or is not there, changes nothing. */
const evolve = (state: State, event: AwardEvent): State => {
  const found = HashMap.get(state.awards, event.id)
  if (event._tag === "EmojiAwarded") {
    if (Option.isSome(found)) return state
    const { by, id, name } = event
    return { awards: HashMap.set(state.awards, id, { by, name }), given: counted(state, { by, name }, 1) }
  }
  if (Option.isNone(found)) return state
  return { awards: HashMap.remove(state.awards, event.id), given: counted(state, found.value, -1) }
}

export const awardAggregate: Aggregate<Awardable, Command, State, AwardEvent, AwardRefused | AwardMissing> = {
  initial,
  decide,
  evolve,
  codec: awardCodec,
  stream: awardsStream
}
