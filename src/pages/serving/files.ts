import send from "send"
import { answerText, type Exchange } from "./exchange.ts"

const sendFile = ({ request, response }: Exchange, root: string, path: string) =>
  send(request, path, { root, dotfiles: "allow", extensions: ["html"], maxAge: 0 }).on("headers", () => {
    response.setHeader("cache-control", "no-cache")
  })

/** A file that cannot be read to its end is broken off. */
const fail = (exchange: Exchange, status: number, said: string): void => {
  if (exchange.response.headersSent) exchange.response.destroy()
  else answerText(exchange, status, said)
}

/** Sends the page for what is missing, with its status, as the site has it. */
const sendMissing = (exchange: Exchange, root: string): void => {
  const { request, response } = exchange
  // The page is sent whole, whatever is asked of the one that is missing.
  for (const name of ["range", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since"])
    delete request.headers[name]
  for (const name of ["content-type", "content-range", "content-length", "etag", "last-modified"]) response.removeHeader(name)
  response.statusCode = 404
  sendFile(exchange, root, "/404.html")
    .on("error", () => fail(exchange, 404, "There is no such page.\n"))
    .pipe(response)
}

/** Sends a file of a site, or the page that it has for what is missing. */
export const sendPage = (exchange: Exchange, root: string, path: string): void => {
  const { request, response } = exchange
  sendFile(exchange, root, path)
    .on("error", ({ status = 500 }: { readonly status?: number }) => {
      const isOwn = status === 412 || status === 416 || status >= 500 || response.headersSent
      if (isOwn) fail(exchange, status, "The page cannot be sent so.\n")
      else sendMissing(exchange, root)
    })
    .on("directory", () => {
      const [sent = "", query] = (request.url ?? "").split("?", 2)
      const name = sent.slice(sent.lastIndexOf("/") + 1)
      answerText(exchange, 301, "", { location: `./${name}/${query === undefined ? "" : `?${query}`}` })
    })
    .pipe(response)
}
