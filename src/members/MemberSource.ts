import type { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import type { WireError } from "../http/answer/errors.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import type { Handled } from "../platform/Commands.ts"
import type { MemberRefusal } from "./errors.ts"
import type { MemberQuestions } from "./questions.ts"
import type { MemberCommand } from "./rules.ts"

/** A group or project that the caller may read. */
export interface Opened {
  readonly id: number
  readonly mayReadMembers: boolean
  /** The highest level that the caller may give and take away: `Infinity` for administrators, 0 without the right. */
  readonly managesUpTo: number
}

/** The part of a handler's input that names a group or project as `id`. */
export interface MemberInput {
  readonly parameters: { readonly id: string | null }
  readonly caller: Caller
  readonly request: RequestInfo
}

type Written = Pick<Handled<unknown, unknown>, "position" | "stream">

/** What the endpoints of members need of the area whose things have them. `R` is what answering takes. */
export interface MemberSource<R> {
  readonly area: "groups" | "projects"
  /** The levels that members may have. */
  readonly levels: ReadonlyArray<number>
  /** The thing that a request names as `id`. Fails as its area answers what is missing, hidden or moved. */
  readonly open: (input: MemberInput) => Effect.Effect<Opened, WireError, R>
  readonly questions: Effect.Effect<MemberQuestions, never, R>
  /** Digits are an id, anything else a user name. */
  readonly findUser: (
    idOrUsername: string
  ) => Effect.Effect<{ readonly id: number; readonly username: string } | undefined, never, R>
  /** Sends a command to the stream of the thing. Any refusal but those of members is a defect or a wire error. */
  readonly send: (id: number, command: MemberCommand) => Effect.Effect<Written, MemberRefusal | WireError, R>
  /** `changes` of the thing. */
  readonly changes: <A, E, S>(id: number, make: Effect.Effect<A, E, S>) => Effect.Effect<A | Written, E, R | S>
  /** Takes away what a former member has in what lies below; answers where the log stands then, 0 for nothing. */
  readonly removeBelow: (id: number, userId: number) => Effect.Effect<number, WireError, R>
}
