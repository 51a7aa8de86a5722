import { Schema } from "effect"
import type { Presented } from "./Presented.ts"
import type { JsonStream, OtherReply, RawBody, Reply } from "./Reply.ts"

/** The shape of a body: its encoded side is the value that goes over the wire as JSON. Answers are not encoded through it. */
export type Shape = Schema.ConstraintCodec<unknown, Schema.Json>

/** The shape of an object whose keys another area declares. */
export const JsonObject = Schema.Record(Schema.String, Schema.Json)
export type JsonObject = typeof JsonObject.Type

interface JsonSuccess {
  readonly status: 200 | 201 | 202
  readonly body: Shape
  /** A large body comes as a `JsonStream`. */
  readonly mayStream?: true
  readonly raw?: undefined
  readonly description?: string
}

interface EmptySuccess {
  readonly status: 204 | 304
  readonly body?: undefined
  readonly raw?: undefined
  readonly description?: string
}

interface RawSuccess {
  readonly status: 200 | 206 | 302
  readonly body?: undefined
  /** Media types that the body may have, such as `image/*`. */
  readonly raw: ReadonlyArray<`${string}/${string}`>
  readonly description?: string
}

/** A success that an endpoint may answer: with JSON, with nothing, or with bytes as they are. */
export type Success = JsonSuccess | EmptySuccess | RawSuccess

type BodyOf<S extends Success> = S extends JsonSuccess
  ?
      | Presented<S["body"]["Encoded"]>
      | (S extends { readonly mayStream: true } ? JsonStream<Presented<S["body"]["Encoded"]>> : never)
  : S extends RawSuccess
    ? RawBody
    : undefined

/** What the handler of an endpoint may answer whose success is `S`, or one of `O`. */
export type ReplyTo<S extends Success, O extends Success> =
  | Reply<BodyOf<S>>
  | (O extends Success ? OtherReply<O["status"], BodyOf<O>> : never)
