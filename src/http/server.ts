import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest } from "effect/http"
import type { ServeError } from "effect/http/HttpServerError"
import type { Route } from "./Endpoint.ts"
import { type GatewayOptions, makeGateway } from "./Gateway.ts"
import { type OperationsOptions, operations } from "./operations.ts"
import { answerUnreadable } from "./unreadable.ts"

/** Of all headers of a request together, in bytes; more is 431. */
const maxHeaderSize = 32 * 1024
const drain = "10 seconds"

/** Listens on `host` and `port`; 0 takes a free port. At the end it finishes the requests that run, for at most ten seconds. */
export const httpServer = (host: string, port: number): Layer.Layer<HttpServer.HttpServer, ServeError> =>
  NodeHttpServer.layerServer(
    () => {
      const server = createServer({ maxHeaderSize, requestTimeout: 300_000, headersTimeout: 60_000, keepAliveTimeout: 65_000 })
      server.on("clientError", answerUnreadable)
      // A connection that is kept alive would hold up a server that is to stop.
      server.on("request", (_, response) => {
        response.once("close", () => {
          if (!server.listening) setImmediate(() => server.closeIdleConnections())
        })
      })
      return server
    },
    { host, port, gracefulShutdownTimeout: drain }
  )

export interface ServiceOptions extends GatewayOptions, Omit<OperationsOptions, "endpoints"> {}

/** All routes: the operator's pages under `/-/`, and the gateway for everything else, unknown paths included. */
export const service = <R>(routes: ReadonlyArray<Route<R>>, options: ServiceOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const gateway = yield* makeGateway(routes, options)
      const endpoints = routes.map((route) => route.endpoint)
      const pages = yield* HttpRouter.toHttpEffect(operations({ ...options, endpoints }))
      const page = Effect.catchTag(pages, "HttpServerError", () => gateway)
      const answer = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => (url.startsWith("/-/") ? page : gateway))
      // The server itself runs requests to their end.
      return HttpServer.serve(Effect.interruptible(answer))
    })
  )
