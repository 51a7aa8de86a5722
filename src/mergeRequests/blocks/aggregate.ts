import { Data, Equal, Result } from "effect"
import type { Aggregate } from "../../platform/Aggregate.ts"
import type { MergeRequestKey } from "../ids.ts"
import { BlockEvent, blockCodec } from "./events.ts"
import { blocksStream } from "./ids.ts"

/** So many merge requests may have to be merged before one. */
export const maxBlocks = 20

/** What has to be merged before a merge request, in the order in which that was said. */
export type State = ReadonlyArray<{ readonly id: number; readonly blocking: MergeRequestKey }>

/** Lets it wait for another one. */
interface Block {
  readonly _tag: "Block"
  readonly id: number
  readonly by: number
  readonly blocking: MergeRequestKey
  /** The ids of blocks whose merge request is not there any more: they make room. */
  readonly gone?: ReadonlyArray<number>
}

export type Command = Block | { readonly _tag: "Unblock"; readonly id: number; readonly by: number }

/** It has to be merged first already. */
export class BlockExists extends Data.TaggedError("BlockExists") {}
/** There is no such block. */
export class BlockMissing extends Data.TaggedError("BlockMissing") {}
/** No more merge requests may have to be merged before it. */
export class TooManyBlocks extends Data.TaggedError("TooManyBlocks")<{ readonly limit: number }> {}

type Refusal = BlockExists | BlockMissing | TooManyBlocks

const decide = (command: Command, state: State): Result.Result<ReadonlyArray<BlockEvent>, Refusal> => {
  const { _tag, ...data } = command
  if (command._tag === "Unblock") {
    if (!state.some(({ id }) => id === command.id)) return Result.fail(new BlockMissing())
    return Result.succeed([BlockEvent.cases.MergeRequestUnblocked.make(data)])
  }
  const { blocking, by, gone = [], id } = command
  if (state.some((block) => Equal.equals(block.blocking, blocking))) return Result.fail(new BlockExists())
  const freed = state.filter((block) => gone.includes(block.id))
  if (state.length - freed.length >= maxBlocks) return Result.fail(new TooManyBlocks({ limit: maxBlocks }))
  return Result.succeed([
    ...freed.map((block) => BlockEvent.cases.MergeRequestUnblocked.make({ id: block.id, by })),
    BlockEvent.cases.MergeRequestBlocked.make({ id, by, blocking })
  ])
}

const evolve = (state: State, event: BlockEvent): State =>
  BlockEvent.match(event, {
    MergeRequestBlocked: ({ blocking, id }) => [...state, { id, blocking }],
    MergeRequestUnblocked: (gone) => state.filter(({ id }) => id !== gone.id)
  })

/** The blocks of a merge request are decided apart from it: nothing else of it depends on them. */
export const blocksAggregate: Aggregate<MergeRequestKey, Command, State, BlockEvent, Refusal> = {
  initial: [],
  decide,
  evolve,
  codec: blockCodec,
  stream: blocksStream
}
