import { Data, type Effect } from "effect"
import type { Repository } from "../Repository.ts"
import type { RefUpdate } from "../refs/pushedRefs.ts"

export interface AccessRequest {
  readonly id: string
  /** Full path of the project without `.git`: `group/subgroup/project`. */
  readonly path: string
  /** The header as sent. */
  readonly authorization: string | undefined
  /** The client's network address, or that of the proxy in front. */
  readonly address: string
  /** To be called when it is known who asks, with a name for the log such as `user:7`. */
  readonly onIdentified: (caller: string) => void
}

/** The request is answered with this and nothing else. 401 also carries the challenge. */
export class AccessDenied extends Data.TaggedError("AccessDenied")<{
  readonly status: 401 | 403 | 404 | 422 | 429 | 503
  /** Clients show it. */
  readonly text: string
}> {}

/** The caller may fetch. */
export interface FetchGrant {
  readonly repository: Repository
  /** Who it is, such as `user-7` or an address: when many wait, callers take turns. */
  readonly caller: string
}

/** What a push moved: never empty. */
export interface Push {
  /** Exactly what moved, in the order of the client. */
  readonly updates: ReadonlyArray<RefUpdate>
  /** `--push-option` as given. */
  readonly options: ReadonlyArray<string>
}

/** Whether a push may move a ref; the texts are for the client. */
export type Verdict =
  | { readonly _tag: "Allowed" }
  /** Allowed if `before` is an ancestor of `after`; refused with the text otherwise. */
  | { readonly _tag: "AllowedForward"; readonly otherwise: string }
  /** The push is refused; `otherwise` is the text where `before` is no ancestor of `after`, if it differs. */
  | { readonly _tag: "Refused"; readonly text: string; readonly otherwise?: string }

/** The caller may push, as far as the verdicts go. */
export interface PushGrant<R> extends FetchGrant {
  /** Asked for when everything has come in, which may take hours: as it is then. */
  readonly judge: Effect.Effect<(update: RefUpdate) => Verdict, unknown, R>
  /**
   * Called when refs moved, before the client is told. Answers lines that the client shows, such as a link. When it fails, or takes
   * longer than `recordLimit`, the client is told that each ref moved but was not recorded. Calls for one repository come one after
   * the other, in the order in which its refs moved.
   */
  readonly onRefsUpdated: (push: Push) => Effect.Effect<ReadonlyArray<string>, unknown, R>
  /** Called, while the refs are held, when some may have moved of which `onRefsUpdated` was not told, or failed. */
  readonly onUnrecorded: Effect.Effect<void, never, R>
}

/** Who may what. Decided for each request anew: a push is at least two. */
export interface GitAccess<R> {
  readonly fetch: (request: AccessRequest) => Effect.Effect<FetchGrant, AccessDenied, R>
  readonly push: (request: AccessRequest) => Effect.Effect<PushGrant<R>, AccessDenied, R>
}
