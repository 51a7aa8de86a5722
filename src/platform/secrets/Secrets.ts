import { Context, type Effect } from "effect"

/**
 * Secrets at rest: AES-256-GCM with one data key per aggregate, wrapped by SECRET_KEY. Events carry only the sealed text.
 */
export class Secrets extends Context.Service<
  Secrets,
  {
    /** Seals a text for the log. `stream` names the aggregate that owns it. */
    readonly seal: (stream: string, secret: string) => Effect.Effect<string>
    /** The text; undefined when the key is gone or does not fit. */
    readonly open: (stream: string, sealed: string) => Effect.Effect<string | undefined>
    /** The same for several texts of one aggregate. */
    readonly openAll: (stream: string, sealed: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string | undefined>>
    /** Deletes the aggregate's key: what was sealed can never be read again. */
    readonly deleteKey: (stream: string) => Effect.Effect<void>
  }
>()("chronoforge/platform/Secrets") {}
