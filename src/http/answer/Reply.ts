import type { Readable } from "node:stream"
import type { Extent } from "./pagination.ts"

/** A body that is not JSON. A stream is destroyed when the client goes away. */
export interface RawBody {
  readonly contentType: string
  readonly content: Uint8Array | Readable
}

/** What a handler answers: the body is sent as JSON. */
export interface Reply {
  /** Default: the status of the endpoint's declaration. */
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Instead of `body`. */
  readonly raw?: RawBody
  /** Of a paginated list: how many there are in all, or where nobody counts them, whether there are some after this page. The pagination headers follow from it. */
  readonly extent?: Extent
  /** Of a list that is read from a key on: the parameters that lead to the next page, or undefined on the last one. */
  readonly next?: Readonly<Record<string, string | number>>
  /** What the answer carries a secret of, such as `personal access token 7`: it is not remembered for an `Idempotency-Key`. */
  readonly secretOf?: string
}

export const ok = (body: unknown): Reply => ({ body })
export const page = (body: ReadonlyArray<unknown>, total: number): Reply => ({ body, extent: { total } })
export const noContent: Reply = {}
