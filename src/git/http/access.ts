import { Data, type Effect } from "effect"
import type { Repository } from "../Repository.ts"
import type { RefUpdate } from "../refs/pushedRefs.ts"

export interface AccessRequest {
  readonly id: string
  /** The full path of the project without `.git`, such as `group/subgroup/project`. */
  readonly path: string
  /** The header as sent. */
  readonly authorization: string | undefined
  /** What counts as one client: an address, or a network of IPv6. */
  readonly network: string
  /** Whether it asks what there is, which clients do first, and without credentials if they may. */
  readonly isFirst: boolean
  /** Called with the caller's name for the log, such as `user:7`, when it is known. */
  readonly onIdentified: (caller: string) => void
}

/** The request is answered with this and nothing else. A 401 has a challenge among its headers. */
export class AccessDenied extends Data.TaggedError("AccessDenied")<{
  readonly status: 401 | 403 | 404 | 422 | 429 | 503
  /** Clients show it. */
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}> {}

/** The caller may fetch. */
export interface FetchGrant {
  readonly repository: Repository
  /** The caller, such as `user-7` or an address: when many wait, callers take turns. */
  readonly caller: string
}

/** The refs that a push moved, at least one. */
export interface Push {
  /** The refs that moved, in the order of the client. */
  readonly updates: ReadonlyArray<RefUpdate>
  /** The values of `--push-option`. */
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
  /** Evaluated when the whole push has arrived, which may take hours. */
  readonly judge: Effect.Effect<(update: RefUpdate) => Verdict, unknown, R>
  /**
   * Called when refs moved, before the client is told. Answers lines that the client shows, such as a link. When it fails, or takes
   * longer than `recordLimit`, the client is told that each ref moved but was not recorded. Calls for one repository come one after
   * the other, in the order in which its refs moved.
   */
  readonly onRefsUpdated: (push: Push) => Effect.Effect<ReadonlyArray<string>, unknown, R>
  /** Called while the refs are locked, when some may have moved without a successful `onRefsUpdated`. */
  readonly onUnrecorded: Effect.Effect<void, never, R>
}

/** What clients are told where there is no repository, or no answer. */
export interface GitTexts {
  readonly nothing: string
  /** The request is of another protocol of git. */
  readonly service: string
  readonly wiki: string
  readonly largeFiles: string
  /** The project has no repository. */
  readonly missing: string
  readonly busy: string
  readonly broken: string
}

/** Decides about access for each request; a push has at least two requests. */
export interface GitAccess<R> {
  /** The answer to whoever has to say first who they are. */
  readonly challenge: AccessDenied
  readonly texts: GitTexts
  readonly fetch: (request: AccessRequest) => Effect.Effect<FetchGrant, AccessDenied, R>
  readonly push: (request: AccessRequest) => Effect.Effect<PushGrant<R>, AccessDenied, R>
}
