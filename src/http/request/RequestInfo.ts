/** What handlers may know of the running request besides its parameters and caller. */
export interface RequestInfo {
  readonly id: string
  readonly method: string
  /** Percent-encoded path as sent, without the query. */
  readonly path: string
  /** As sent, without the question mark; empty if there is none. */
  readonly query: string
  /** `https://host`, without a trailing slash: what links in answers begin with. */
  readonly externalUrl: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
}
