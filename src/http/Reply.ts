/** What a handler answers: the body is sent as JSON. */
export interface Reply {
  /** Default: the status of the endpoint's declaration. */
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Of a paginated list: how many there are in all. The pagination headers follow from it. */
  readonly total?: number
  /** What the answer carries a secret of, such as `personal access token 7`: it is not remembered for an `Idempotency-Key`. */
  readonly secretOf?: string
}

export const ok = (body: unknown): Reply => ({ body })
export const page = (body: ReadonlyArray<unknown>, total: number): Reply => ({ body, total })
export const noContent: Reply = {}
