import type { Aggregate } from "../../platform/Commands.ts"
import { userKeyStream } from "../ids.ts"
import type { Command } from "./commands.ts"
import { decide } from "./decide.ts"
import type { Refusal } from "./errors.ts"
import { type UserKeyEvent, userKeyCodec } from "./events.ts"
import { evolve } from "./evolve.ts"
import { initial, type State } from "./state.ts"

export const userKeyAggregate: Aggregate<number, Command, State, UserKeyEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: userKeyCodec,
  stream: userKeyStream
}
