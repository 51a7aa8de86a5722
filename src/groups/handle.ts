import type { Aggregate } from "../platform/Commands.ts"
import type { Command } from "./commands.ts"
import { decide } from "./decide.ts"
import type { Refusal } from "./errors.ts"
import { type GroupEvent, groupCodec } from "./events.ts"
import { evolve } from "./evolve.ts"
import { groupStream } from "./ids.ts"
import { initial, type State } from "./state.ts"

export const groupAggregate: Aggregate<number, Command, State, GroupEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: groupCodec,
  stream: groupStream
}
