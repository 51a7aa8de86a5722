import type { IncomingMessage, ServerResponse } from "node:http"

/** A request for a page, with its answer. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const text = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } as const

/** Answers a text, which nobody keeps. */
export const answerText = (
  { response }: Exchange,
  status: number,
  said: string,
  headers: Readonly<Record<string, string>> = {}
): void => {
  response.writeHead(status, { ...text, "content-length": Buffer.byteLength(said), ...headers }).end(said)
}
