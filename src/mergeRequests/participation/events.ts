import { Schema } from "effect"
import { eventCodec } from "../../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

/** What one user wants to hear of one merge request, which the stream names. */
export const SubscriptionEvent = Schema.TaggedUnion({ MergeRequestSubscribed: {}, MergeRequestUnsubscribed: {} })
export type SubscriptionEvent = typeof SubscriptionEvent.Type

export const subscriptionCodec = eventCodec(SubscriptionEvent)
