import type { IncomingMessage, ServerResponse } from "node:http"
import type { ClientAddress } from "../../kernel/clientAddress.ts"

/** A request as it came in. */
export interface Incoming extends ClientAddress {
  readonly method: string
  /** The path and query as sent, such as `/api/v4/users?per_page=2`. */
  readonly url: string
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The bytes of the body, for one reader. */
  readonly body: () => IncomingMessage
}

/** `GET http://host/path` asks for `/path`, as `GET /path` does. */
export const originForm = (target: string): string => {
  if (target.startsWith("/") || !URL.canParse(target)) return target
  const { pathname, search } = new URL(target)
  return pathname + search
}

export const incomingOf = (request: IncomingMessage, response: ServerResponse, client: ClientAddress): Incoming => ({
  method: request.method ?? "GET",
  url: originForm(request.url ?? "/"),
  // Only `set-cookie`, which no client sends, would be a list.
  headers: request.headers as Incoming["headers"],
  address: client.address,
  network: client.network,
  body: () => {
    if (request.headers.expect !== undefined && request.httpVersion !== "1.0") response.writeContinue()
    return request
  }
})
