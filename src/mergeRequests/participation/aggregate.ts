import { Result } from "effect"
import type { Aggregate } from "../../platform/Aggregate.ts"
import { SubscriptionEvent, subscriptionCodec } from "./events.ts"
import { type SubscriptionKey, subscriptionStream } from "./ids.ts"

/** A user who has not said so hears of what they take part in. */
export type State = "Unset" | "Subscribed" | "Unsubscribed"

export interface Command {
  readonly _tag: "Subscribe" | "Unsubscribe"
}

const { MergeRequestSubscribed, MergeRequestUnsubscribed } = SubscriptionEvent.cases

const decide = ({ _tag }: Command, state: State): Result.Result<ReadonlyArray<SubscriptionEvent>> => {
  if (_tag === "Subscribe") return Result.succeed(state === "Subscribed" ? [] : [MergeRequestSubscribed.make({})])
  return Result.succeed(state === "Unsubscribed" ? [] : [MergeRequestUnsubscribed.make({})])
}

const evolve = (_: State, event: SubscriptionEvent): State =>
  SubscriptionEvent.match(event, {
    MergeRequestSubscribed: (): State => "Subscribed",
    MergeRequestUnsubscribed: (): State => "Unsubscribed"
  })

export const subscriptionAggregate: Aggregate<SubscriptionKey, Command, State, SubscriptionEvent, never> = {
  initial: "Unset",
  decide,
  evolve,
  codec: subscriptionCodec,
  stream: subscriptionStream
}
