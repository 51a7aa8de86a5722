import type { Aggregate } from "../../platform/Commands.ts"
import { deployKeyStream } from "../ids.ts"
import type { Command } from "./commands.ts"
import { decide } from "./decide.ts"
import type { Refusal } from "./errors.ts"
import { type DeployKeyEvent, deployKeyCodec } from "./events.ts"
import { evolve } from "./evolve.ts"
import { initial, type State } from "./state.ts"

export const deployKeyAggregate: Aggregate<number, Command, State, DeployKeyEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: deployKeyCodec,
  stream: deployKeyStream
}
