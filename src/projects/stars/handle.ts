import type { Aggregate } from "../../platform/Commands.ts"
import type { Command } from "./commands.ts"
import { decide } from "./decide.ts"
import { type StarEvent, starCodec } from "./events.ts"
import { evolve } from "./evolve.ts"
import { type StarId, starStream } from "./ids.ts"
import { initial, type State } from "./state.ts"

export const starAggregate: Aggregate<StarId, Command, State, StarEvent, never> = {
  initial,
  decide,
  evolve,
  codec: starCodec,
  stream: starStream
}
