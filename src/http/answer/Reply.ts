import type { Readable } from "node:stream"
import type { Extent } from "./pagination.ts"

/** A body that is sent as it is. A stream is destroyed when the client goes away. */
export class RawBody {
  readonly contentType: string
  readonly content: Uint8Array | Readable

  constructor(contentType: string, content: Uint8Array | Readable) {
    this.contentType = contentType
    this.content = content
  }
}

/** The JSON text of a `B` that comes piece by piece. */
export class JsonStream<out B> extends RawBody {
  /** A type alone: there is no such value. */
  declare readonly shape: B

  constructor(text: Readable) {
    super("application/json", text)
  }
}

/** The cache header of all JSON, which has to be set for a stream. */
export const revalidate = { "cache-control": "max-age=0, private, must-revalidate" } as const

/** What the answer tells of other pages of a list. */
export interface Pages {
  /**
   * The extent of a paginated list: its total, or where nobody counts it, whether there are more entries after this page. The
   * pagination headers follow from it.
   */
  readonly extent?: Extent
  /** The parameters that lead to the next page of a keyset list; undefined on the last one. */
  readonly next?: Readonly<Record<string, string | number>>
}

interface Parts<B> extends Pages {
  /** The value that is sent as JSON, a `RawBody`, or undefined for an empty body. */
  readonly body: B
  readonly headers?: Readonly<Record<string, string>>
  /** What the answer carries a secret of, such as `personal access token 7`: it is not remembered for an `Idempotency-Key`. */
  readonly secretOf?: string
}

/** What a handler answers, with the status of the endpoint's success. */
export interface Reply<out B> extends Parts<B> {
  readonly status?: undefined
}

/** A reply with the status of another success that the endpoint declares. */
export interface OtherReply<out S extends number, out B> extends Parts<B> {
  readonly status: S
}

export type AnyReply = Reply<unknown> | OtherReply<number, unknown>

export const ok = <const B>(body: B): Reply<B> => ({ body })
/** A page of a list, of which the total or the extent is known. */
export const page = <const B>(body: ReadonlyArray<B>, extent: number | Extent): Reply<ReadonlyArray<B>> => ({
  body,
  extent: typeof extent === "number" ? { total: extent } : extent
})
export const noContent: Reply<undefined> = { body: undefined }
