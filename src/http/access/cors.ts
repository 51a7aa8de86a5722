import { defined } from "../../kernel/defined.ts"

type Headers = Readonly<Record<string, string | undefined>>

const exposed = [
  "ETag",
  "Link",
  "X-Request-Id",
  "X-Total",
  "X-Total-Pages",
  "X-Per-Page",
  "X-Page",
  "X-Next-Page",
  "X-Prev-Page",
  "X-Gitlab-Blob-Id",
  "X-Gitlab-Commit-Id",
  "X-Gitlab-Content-Sha256",
  "X-Gitlab-Encoding",
  "X-Gitlab-File-Name",
  "X-Gitlab-File-Path",
  "X-Gitlab-Last-Commit-Id",
  "X-Gitlab-Ref",
  "X-Gitlab-Size",
  "X-Chronoforge-Position"
].join(", ")

/** Any origin may read answers, without credentials; the installation's own origin also with them. */
export const corsHeaders = (headers: Headers, externalUrl: string): Readonly<Record<string, string>> => {
  const origin = headers.origin
  if (origin === undefined) return {}
  const own = origin === new URL(externalUrl).origin
  return defined({
    "access-control-allow-origin": own ? origin : "*",
    "access-control-allow-credentials": own ? "true" : undefined,
    "access-control-expose-headers": exposed
  })
}

/** What a preflight request is allowed: whatever it asks for. */
export const preflightHeaders = (headers: Headers): Readonly<Record<string, string>> => ({
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  "access-control-allow-headers": headers["access-control-request-headers"] ?? "*",
  "access-control-max-age": "7200"
})

export const isPreflight = (method: string, headers: Headers): boolean =>
  method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined
