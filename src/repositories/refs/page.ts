import { Effect } from "effect"
import { unprocessable } from "../../http/answer/errors.ts"
import { pageIn, pageOf } from "../../http/answer/pagination.ts"
import type { Pages } from "../../http/answer/Reply.ts"
import type { RawParameters } from "../../http/parameters/rawParameters.ts"
import { defined } from "../../kernel/defined.ts"

/** Parameters of lists of branches and tags beside those of all paginated lists. */
export const keysetParameters = {
  pagination: {
    kind: "string",
    values: ["legacy", "keyset"],
    description: "How pages are found: `legacy` by number, `keyset` by `page_token`. Default: `legacy`."
  },
  page_token: { kind: "string", description: "Name behind which a page with `pagination=keyset` begins, as a link to it tells." }
} as const

interface PageParameters {
  readonly pagination?: "legacy" | "keyset" | null
  readonly page_token?: string | null
}

interface RefPage<R> {
  readonly shown: ReadonlyArray<R>
  /** What the answer tells of other pages. */
  readonly pages: Pages
}

/** The requested page of a list of branches or tags. Fails with 422 for a token that names none of them. */
export const refPage = Effect.fnUntraced(function* <R extends { readonly name: string }>(
  kind: "heads" | "tags",
  refs: ReadonlyArray<R>,
  parameters: PageParameters & RawParameters
) {
  if (parameters.pagination !== "keyset") {
    const page: RefPage<R> = { shown: pageIn(refs, parameters), pages: { extent: { total: refs.length } } }
    return page
  }
  const { limit } = pageOf(parameters)
  const { page_token: token } = parameters
  // Names that are not UTF-8 may look alike: going on behind the last of them, a client comes to an end.
  const start = token ? refs.findLastIndex(({ name }) => name === token) + 1 : 0
  if (token && start === 0) return yield* unprocessable(`Invalid page token: refs/${kind}/${token}`)
  const shown = refs.slice(start, start + limit)
  const last = start + limit < refs.length ? shown.at(-1) : undefined
  const page: RefPage<R> = { shown, pages: defined({ next: last && { page_token: last.name } }) }
  return page
})
