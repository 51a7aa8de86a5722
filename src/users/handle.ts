import type { Aggregate } from "../platform/Commands.ts"
import type { Command } from "./commands.ts"
import { decide } from "./decide.ts"
import type { Refusal } from "./errors.ts"
import { type UserEvent, userCodec } from "./events.ts"
import { evolve } from "./evolve.ts"
import { userStream } from "./ids.ts"
import { initial, type State } from "./state.ts"

export const userAggregate: Aggregate<number, Command, State, UserEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: userCodec,
  stream: userStream
}
