import type { Method } from "#src/http/Endpoint.ts"
import type { Grid } from "./grid.ts"

/** What is sent to an endpoint so that whoever may do it succeeds. */
export interface Ask {
  /** Values of the names in the path; `id` is the group or project unless it is here. */
  readonly path?: Readonly<Record<string, string | number>>
  readonly json?: object
  readonly file?: Uint8Array<ArrayBuffer>
  readonly multipart?: Readonly<Record<string, File>>
  readonly query?: Readonly<Record<string, string>>
  /** Instead of the caller's own. */
  readonly token?: string
}

interface More {
  /** What is special about this request, where an endpoint has several rows. */
  readonly when?: string
  /** Scope that suffices for reading besides `api` and `read_api`, or that any suffices. */
  readonly scope?: "read_user" | "read_repository" | "any"
}

/** One kind of request: the endpoint, the status of success, who may, and what is sent. `At` is what a caller finds in a place. */
export type Row<At> = readonly [
  endpoint: `${Method} /${string}`,
  success: number,
  may: Grid,
  ask?: ((at: At) => Ask) | undefined,
  more?: More
]
