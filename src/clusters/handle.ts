import type { Aggregate } from "../platform/Commands.ts"
import type { Command } from "./commands.ts"
import { decide } from "./decide.ts"
import type { Refusal } from "./errors.ts"
import { type ClusterEvent, clusterCodec } from "./events.ts"
import { evolve } from "./evolve.ts"
import { clusterStream } from "./ids.ts"
import { initial, type State } from "./state.ts"

export const clusterAggregate: Aggregate<number, Command, State, ClusterEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: clusterCodec,
  stream: clusterStream
}
