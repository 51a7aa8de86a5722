import type { Incoming } from "./Incoming.ts"

/** What handlers may know of the running request besides its parameters and caller. */
export interface RequestInfo {
  readonly id: string
  readonly method: string
  /** The percent-encoded path as sent, without the query. */
  readonly path: string
  /** The query as sent, without the question mark; empty if there is none. */
  readonly query: string
  /** The URL `https://host`, without a trailing slash, with which links in answers begin. */
  readonly externalUrl: string
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The bytes of the body, which only an endpoint that takes a file reads. */
  readonly body: Incoming["body"]
}
