import type { Aggregate } from "../platform/Commands.ts"
import type { Command } from "./commands.ts"
import { decide } from "./decide.ts"
import type { Refusal } from "./errors.ts"
import { type ImportEvent, importCodec } from "./events.ts"
import { evolve } from "./evolve.ts"
import { importStream } from "./ids.ts"
import { initial, type State } from "./state.ts"

export const importAggregate: Aggregate<number, Command, State, ImportEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: importCodec,
  stream: importStream
}
