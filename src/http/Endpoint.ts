import { Effect } from "effect"
import type { Caller } from "./access/Caller.ts"
import type { WireError } from "./answer/errors.ts"
import type { WithoutExtraKeys } from "./answer/extraKeys.ts"
import type { AnyReply } from "./answer/Reply.ts"
import type { ReplyTo, Success } from "./answer/success.ts"
import type { Area } from "./areas.ts"
import type { Decoded, ParameterGroup, ParameterTable } from "./parameters/parameters.ts"
import type { RequestInfo } from "./request/RequestInfo.ts"

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/**
 * Who may call: checked in front of parameter validation, so its errors win over those of parameters. `anyone`: a token is
 * optional, but a bad one is refused. `administratorLast`: a user in front, an administrator behind validation. `validatedAdministrator`: both
 * behind validation.
 */
export type Access = "anyone" | "user" | "administrator" | "administratorLast" | "validatedAdministrator"

/** Everything that is known of an endpoint, declared once in its area's `contract.ts`. */
export interface Endpoint<
  P extends ParameterTable = ParameterTable,
  A extends Access = Access,
  S extends Success = Success,
  O extends Success = Success
> {
  /** A unique name such as `clusters.add`: the key of the handler, the operation id in OpenAPI, the route in logs and metrics. */
  readonly name: string
  readonly area: Area
  readonly method: Method
  /** The path below `/api/v4`, with `:name` for path parameters. */
  readonly path: `/${string}`
  /** What a path parameter must look like, as it is sent: otherwise the path is another one, and unknown. */
  readonly patterns?: Readonly<Record<string, RegExp>>
  /** The parameter that takes the rest of the path, slashes included. */
  readonly rest?: string
  /** What the path ends in belongs to it, also `.json`; elsewhere that asks for a format and is ignored. */
  readonly keepsFormat?: true
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly access: A
  /** Token scopes that suffice for reading besides `api` and `read_api`. A write names them when it refuses a scope, as the reference does. */
  readonly readScopes?: ReadonlyArray<string>
  /** Any token suffices, whatever its scopes. */
  readonly anyScope?: true
  /** A revoked token that is presented here has leaked: what took its place is revoked too. */
  readonly detectsReuse?: true
  /** A body may have up to 16 MiB, because it carries content; others have up to 1 MiB. */
  readonly takesContent?: true
  /**
   * The body is a file, or a multipart form with a file in the part of this name, which the handler reads itself: all parameters are in path
   * and query, the token there or in a header.
   */
  readonly takesFile?: true | { readonly part: string }
  readonly parameters: P
  readonly groups?: ReadonlyArray<ParameterGroup>
  /** Adds `page` and `per_page` and the pagination headers. */
  readonly paginated?: boolean
  readonly success: S
  /** The further successes, with other statuses. */
  readonly otherSuccesses?: ReadonlyArray<O>
  /** Refusals beyond the usual ones, for the documentation: status to condition. */
  readonly refusals?: Readonly<Record<number, string>>
}

export const endpoint = <
  const P extends ParameterTable,
  const A extends Access,
  const S extends Success,
  const O extends Success = never
>(
  declared: Endpoint<P, A, S, O>
): Endpoint<P, A, S, O> => declared

/** The successes that an endpoint declares, the usual one first. */
export const successesOf = ({ otherSuccesses = [], success }: Endpoint): ReadonlyArray<Success> => [success, ...otherSuccesses]

export interface Input<P extends ParameterTable, A extends Access> {
  readonly parameters: Decoded<P>
  readonly caller: A extends "anyone" ? Caller | undefined : Caller
  readonly request: RequestInfo
}

/** What is known of a request before its parameters are judged. */
export interface GuardInput<A extends Access> {
  /** The decoded parameters of the path. */
  readonly path: Readonly<Record<string, string | undefined>>
  readonly caller: Input<ParameterTable, A>["caller"]
  readonly request: RequestInfo
}

export interface Route<R = never> {
  readonly endpoint: Endpoint
  /** Whether the installation has it: what is switched off is not found, whoever asks. The default is yes. */
  readonly isOffered?: Effect.Effect<boolean, never, R>
  /** Judged in front of parameter validation; its errors win. `run` is given what it found. */
  readonly guard?: (input: GuardInput<Access>) => Effect.Effect<unknown, WireError, R>
  readonly run: (input: Input<ParameterTable, Access> & { readonly guarded: unknown }) => Effect.Effect<AnyReply, WireError, R>
}

/** What the handlers of several routes need together. */
export type RequirementsOf<T> = T extends ReadonlyArray<infer U> ? (U extends Route<infer R> ? R : never) : never

/** A handler that answers what the endpoint declares, and no key besides. */
type Handler<I, B extends AnyReply, R, D extends AnyReply> = ((input: I) => Effect.Effect<B, WireError, R>) &
  WithoutExtraKeys<B["body"], D["body"]>

/** Joins a declaration and its handler. */
export const route = <
  P extends ParameterTable,
  A extends Access,
  S extends Success,
  O extends Success,
  B extends ReplyTo<S, O>,
  R
>(
  declared: Endpoint<P, A, S, O>,
  run: Handler<Input<P, A>, B, R, ReplyTo<S, O>>
): Route<R> => ({ endpoint: declared, run: run as unknown as Route<R>["run"] })

/** Routes that an installation may not have. */
export const offeredWhere = <R, Q>(
  isOffered: Effect.Effect<boolean, never, Q>,
  routes: ReadonlyArray<Route<R>>
): ReadonlyArray<Route<R | Q>> => routes.map((each): Route<R | Q> => ({ ...each, isOffered }))

/** Joins a declaration, what is checked before its parameters, and its handler. */
export const guardedRoute = <
  P extends ParameterTable,
  A extends Access,
  S extends Success,
  O extends Success,
  B extends ReplyTo<S, O>,
  G,
  R,
  Q
>(
  declared: Endpoint<P, A, S, O>,
  guard: (input: GuardInput<A>) => Effect.Effect<G, WireError, Q>,
  run: Handler<Input<P, A> & { readonly guarded: G }, B, R, ReplyTo<S, O>>
): Route<R | Q> => ({
  endpoint: declared,
  guard: guard as unknown as NonNullable<Route<R | Q>["guard"]>,
  run: run as unknown as Route<R | Q>["run"]
})

/** As `guardedRoute`, but parameters are judged first: their errors win, and a body is read whoever sends it. */
export const lateGuardedRoute = <
  P extends ParameterTable,
  A extends Access,
  S extends Success,
  O extends Success,
  B extends ReplyTo<S, O>,
  G,
  R,
  Q
>(
  declared: Endpoint<P, A, S, O>,
  guard: (input: Input<P, A>) => Effect.Effect<G, WireError, Q>,
  run: Handler<Input<P, A> & { readonly guarded: G }, B, R, ReplyTo<S, O>>
): Route<R | Q> => {
  const guardedRun = (input: Input<P, A>) => Effect.flatMap(guard(input), (guarded) => run({ ...input, guarded }))
  return { endpoint: declared, run: guardedRun as unknown as Route<R | Q>["run"] }
}
