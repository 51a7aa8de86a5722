import send from "send"
import { hasIndex, isThere } from "../sites/onDisk.ts"
import { answerText, type Exchange } from "./exchange.ts"
import { pathAndQuery } from "./target.ts"

/** A request for a page of a site whose files are below the root. */
interface Visit {
  readonly exchange: Exchange
  readonly root: string
  /** Is called, and nothing is answered, where the whole site has gone. */
  readonly onGone: () => void
}

const sendFile = ({ exchange: { request, response }, root }: Visit, path: string) =>
  send(request, path, { root, dotfiles: "allow", maxAge: 0 }).on("headers", () => {
    response.setHeader("cache-control", "no-cache")
  })

/** A file that cannot be read to its end is broken off. */
const fail = (exchange: Exchange, status: number, said: string): void => {
  if (exchange.response.headersSent) exchange.response.destroy()
  else answerText(exchange, status, said)
}

/** Sends the page for what is missing, with its status, as the site has it. */
export const sendMissing = async (visit: Visit): Promise<void> => {
  if (!(await isThere(visit.root))) return visit.onGone()
  const { request, response } = visit.exchange
  const failMissing = () => fail(visit.exchange, 404, "There is no such page.\n")
  // The page is sent whole, whatever is asked of the one that is missing.
  for (const name of ["range", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since"])
    delete request.headers[name]
  for (const name of ["content-type", "content-range", "content-length", "etag", "last-modified"]) response.removeHeader(name)
  response.statusCode = 404
  sendFile(visit, "/404.html").on("error", failMissing).on("directory", failMissing).pipe(response)
}

/** A file on its way; where there is none, something else is done. */
const sendOr = (visit: Visit, path: string, otherwise: () => void) => {
  const { exchange } = visit
  return sendFile(visit, path).on("error", ({ status = 500 }: { readonly status?: number }) => {
    const isOwn = status === 412 || status === 416 || status >= 500 || exchange.response.headersSent
    if (isOwn) fail(exchange, status, "The page cannot be sent so.\n")
    else otherwise()
  })
}

/** Sends the page that has the name of a path without its ending; where there is none, something else is done. */
const sendPretty = (visit: Visit, path: string, otherwise: () => void): void => {
  if (path.endsWith("/")) otherwise()
  else sendOr(visit, `${path}.html`, otherwise).on("directory", otherwise).pipe(visit.exchange.response)
}

/** Leads to what is below the folder that was asked for. */
const leadInto = (exchange: Exchange): void => {
  const [sent, query] = pathAndQuery(exchange.request.url ?? "")
  answerText(exchange, 301, "", { location: `./${sent.slice(sent.lastIndexOf("/") + 1)}/${query}` })
}

/** Sends a file of a site, or the page that it has for what is missing. A folder with an index comes before a page of the same name. */
export const sendPage = (visit: Visit, path: string): void => {
  const { exchange } = visit
  sendOr(visit, path, () => sendPretty(visit, path, () => sendMissing(visit)))
    .on("directory", async (_response: unknown, folder: string) => {
      if (await hasIndex(folder)) leadInto(exchange)
      else sendPretty(visit, path, () => leadInto(exchange))
    })
    .pipe(exchange.response)
}
