import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { noneMatchNames, weakEtag } from "../answer/conditional.ts"
import { allowsGzip } from "./acceptance.ts"

const compress = promisify(gzip)

interface PageOptions {
  /** Must not need a request: it is run once, for all of them. */
  readonly text: Effect.Effect<string>
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A page that never changes. Its text is made, compressed and given its entity tag at the first request; later ones are
 * answered from memory, those that know the tag with 304.
 */
export const makePage = ({ contentType, headers = {}, text }: PageOptions) =>
  Effect.gen(function* () {
    const made = yield* Effect.cached(
      Effect.gen(function* () {
        const plain = Buffer.from(yield* text)
        const zipped = yield* Effect.promise(() => compress(plain))
        const shared = {
          ...headers,
          etag: weakEtag(plain),
          vary: "accept-encoding",
          "x-content-type-options": "nosniff"
        }
        return { plain, zipped, shared }
      })
    )
    return Effect.gen(function* () {
      // A client that goes away must not end what others wait for.
      const { plain, shared, zipped } = yield* Effect.uninterruptible(made)
      const request = (yield* HttpServerRequest.HttpServerRequest).headers
      if (noneMatchNames(request["if-none-match"], shared.etag)) return HttpServerResponse.empty({ status: 304, headers: shared })
      return allowsGzip(request["accept-encoding"])
        ? HttpServerResponse.uint8Array(zipped, { contentType, headers: { ...shared, "content-encoding": "gzip" } })
        : HttpServerResponse.uint8Array(plain, { contentType, headers: shared })
    })
  })
