import type { Aggregate } from "../platform/Commands.ts"
import type { Command } from "./commands.ts"
import { decide } from "./decide.ts"
import type { Refusal } from "./errors.ts"
import { type ProjectEvent, projectCodec } from "./events.ts"
import { evolve } from "./evolve.ts"
import { projectStream } from "./ids.ts"
import { initial, type State } from "./state.ts"

export const projectAggregate: Aggregate<number, Command, State, ProjectEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: projectCodec,
  stream: projectStream
}
