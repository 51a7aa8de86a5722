import type { Aggregate } from "../platform/Commands.ts"
import type { Command } from "./commands.ts"
import { decide } from "./decide.ts"
import type { Refusal } from "./errors.ts"
import { type TokenEvent, tokenCodec } from "./events.ts"
import { evolve } from "./evolve.ts"
import { tokenStream } from "./ids.ts"
import { initial, type State } from "./state.ts"

export const tokenAggregate: Aggregate<number, Command, State, TokenEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: tokenCodec,
  stream: tokenStream
}
