import { Cause, Effect, Result } from "effect"
import { errorAnswer } from "../../http/answer/answer.ts"
import { defectError } from "../../http/answer/defects.ts"
import { serviceUnavailable, type WireError } from "../../http/answer/errors.ts"
import type { ObservedRequest } from "../../http/server/listener.ts"
import { RateLimiter } from "../../http/server/RateLimiter.ts"
import { inRequestPlace } from "../../platform/work/RequestPlaces.ts"
import { PagesHost } from "../PagesHost.ts"
import { SiteStorage } from "../sites/SiteStorage.ts"
import { answerText, type Exchange } from "./exchange.ts"
import { findPage, type Page, type PageRequest } from "./findPage.ts"

/** Sites of strangers share the address of the service: their pages get an origin of their own each, so that they can do nothing in its name. */
const sandbox = "sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts"
/** Lets browsers ask for a name and a password. */
const signIn = { "www-authenticate": 'Basic realm="Pages"' } as const

/** The status, text and headers of what is not a file. */
const saidOf = (page: Exclude<Page, { readonly _tag: "File" }>): readonly [number, string, Readonly<Record<string, string>>] => {
  switch (page._tag) {
    case "Redirect":
      return [page.status, "", { location: page.location }]
    case "Missing":
      return [404, "There is no such page.\n", {}]
    case "SignIn":
      return [401, "This site is for members: a personal access token is the password.\n", signIn]
  }
}

const busy = serviceUnavailable("503 Service Unavailable - too much is being asked for at the same time", 10)

/** Who asks with a token is counted as in the interface: their address until they are known, then they themselves. */
const counted = Effect.fnUntraced(function* (request: PageRequest, network: string) {
  const limiter = yield* RateLimiter
  yield* limiter.count(network)
  const found = yield* findPage(request)
  const userId = found.caller?.user.id
  if (userId === undefined) return found
  yield* limiter.giveBack(network)
  yield* limiter.count(network, userId)
  return found
})

const refuse = ({ response }: Exchange, cause: Cause.Cause<WireError>) =>
  Effect.gen(function* () {
    const refusal = Cause.findFail(cause)
    const { body, headers, status } = errorAnswer(Result.isSuccess(refusal) ? refusal.success.error : defectError(cause))
    if (status === 500) yield* Effect.logError("A page could not be shown", cause)
    if (response.headersSent) return response.destroy()
    const challenge = status === 401 ? signIn : {}
    response.writeHead(status, { "content-type": "application/json", ...challenge, ...headers }).end(body)
  })

type File = Extract<Page, { readonly _tag: "File" }>

/** Sends a page of a site, and waits until it is sent; false, and nothing is answered, where the site has gone. */
const sent = Effect.fnUntraced(function* (exchange: Exchange, { deployment, path, projectId }: File) {
  const { folderOf } = yield* SiteStorage
  // What sends files is loaded with the first one.
  const { sendMissing, sendPage } = yield* Effect.promise(() => import("./files.ts"))
  return yield* Effect.callback<boolean>((resume) => {
    if (exchange.response.destroyed) return resume(Effect.succeed(true))
    const visit = { exchange, root: folderOf(projectId, deployment.site), onGone: () => resume(Effect.succeed(false)) }
    exchange.response.once("close", () => resume(Effect.succeed(true)))
    if (path === undefined) sendMissing(visit)
    else sendPage(visit, path)
  })
})

/** So often a page is looked for whose site makes way for another one at the same time. */
const maxTries = 5

/** Finds a page and answers it; false, and nothing is answered, where its site has gone meanwhile. */
const answered = Effect.fnUntraced(function* (request: PageRequest, exchange: Exchange, observed: ObservedRequest) {
  const { response } = exchange
  const { domain, idleMillis } = yield* PagesHost
  const { caller, page } = yield* inRequestPlace("anonymous", observed.network, counted(request, observed.network)).pipe(
    Effect.catchTag("TooBusy", () => Effect.fail(busy))
  )
  observed.caller = caller && `user:${caller.user.id}`
  if (domain === undefined) response.setHeader("content-security-policy", sandbox)
  response.setHeader("x-content-type-options", "nosniff")
  response.setTimeout(idleMillis)
  if (page._tag !== "File") {
    answerText(exchange, ...saidOf(page))
    return true
  }
  // Pages without an origin of their own may load the rest of their site only where that says so.
  if (page.isPublic) response.setHeader("access-control-allow-origin", "*")
  return yield* sent(exchange, page)
})

/** Answers a request for a page of a site. */
export const servePage = Effect.fnUntraced(
  function* (request: PageRequest, exchange: Exchange, observed: ObservedRequest) {
    const { method } = exchange.request
    if (method !== "GET" && method !== "HEAD") {
      answerText(exchange, 405, "Pages are only read.\n", { allow: "GET, HEAD" })
      return
    }
    for (let tries = 0; tries < maxTries; tries++) if (yield* answered(request, exchange, observed)) return
    answerText(exchange, ...saidOf({ _tag: "Missing" }))
  },
  (served, _request, exchange) => Effect.catchCause(served, (cause) => refuse(exchange, cause))
)
